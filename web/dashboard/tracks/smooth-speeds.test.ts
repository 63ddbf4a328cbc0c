import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { smoothSpeeds, speedScaleEnd } from './smooth-speeds.ts'

/** A way at 5 m/s, a point each second. */
const way = (count: number, gaps: number[] = []) => ({
  time_ms: Array.from({ length: count }, (_, index) => index * 1000),
  distance_meters: Array.from({ length: count }, (_, index) => index * 5),
  gaps: gaps.map((index) => ({ index, reason: 'pause' as const })),
})

describe('the speed that is drawn', () => {
  test('of a steady way is steady, to both of its ends', () => {
    assert.deepEqual(new Set(smoothSpeeds(way(60))), new Set([5]))
  })

  test('is little moved by one position that leapt', () => {
    const leapt = way(60)
    for (let index = 30; index < 60; index++) leapt.distance_meters[index] += 25

    const highest = Math.max(...smoothSpeeds(leapt).map((mps) => mps ?? 0))

    assert.ok(highest < 7, `${highest} m/s`)
  })

  test('is not counted over a gap, and is not known for a point alone', () => {
    const broken = way(5, [2, 3])
    for (let index = 2; index < 5; index++) broken.time_ms[index] += 1_000_000

    assert.deepEqual(smoothSpeeds(broken), [5, 5, null, 5, 5])
  })

  test('of points far apart is that between neighbours', () => {
    const sparse = { time_ms: [0, 60_000, 120_000], distance_meters: [0, 60, 180], gaps: [] }

    assert.deepEqual(smoothSpeeds(sparse), [1, 1.5, 2])
  })
})

describe('the scale of speeds', () => {
  test('ends at the maximum of the statistics', () => {
    assert.equal(speedScaleEnd([10, null, 13], 14.2), 14.2)
  })

  test('is not that of one wild value', () => {
    assert.equal(speedScaleEnd([10, 14], 26), 14)
  })

  test('holds everything where no maximum is known', () => {
    assert.equal(speedScaleEnd([10, 14], undefined), 14)
  })
})
