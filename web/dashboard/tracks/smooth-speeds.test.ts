import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { smoothingMs, smoothSpeeds } from './smooth-speeds.ts'

/** A track at 5 m/s with a point each second. */
const way = (count: number, gaps: number[] = []) => ({
  time_ms: Array.from({ length: count }, (_, index) => index * 1000),
  distance_meters: Array.from({ length: count }, (_, index) => index * 5),
  gaps: gaps.map((index) => ({ index, reason: 'pause' as const })),
})

describe('smoothSpeeds', () => {
  test('keeps a steady speed steady, up to both ends', () => {
    assert.deepEqual(new Set(smoothSpeeds(way(60))), new Set([5]))
  })

  test('is hardly affected by one position that jumps', () => {
    const leapt = way(60)
    for (let index = 30; index < 60; index++) leapt.distance_meters[index] += 25

    const highest = Math.max(...smoothSpeeds(leapt).map((mps) => mps ?? 0))

    assert.ok(highest < 7, `${highest} m/s`)
  })

  test('does not average over a gap, and gives null for an isolated point', () => {
    const broken = way(5, [2, 3])
    for (let index = 2; index < 5; index++) broken.time_ms[index] += 1_000_000

    assert.deepEqual(smoothSpeeds(broken), [5, 5, null, 5, 5])
  })

  test('uses the neighbours of points that are far apart', () => {
    const sparse = { time_ms: [0, 60_000, 120_000], distance_meters: [0, 60, 180], gaps: [] }

    assert.deepEqual(smoothSpeeds(sparse), [1, 1.5, 2])
  })

  test('averages over 30 s, over up to 60 s on a long track', () => {
    const during = (hours: number) => smoothingMs({ time_ms: [0, hours * 3_600_000] })

    assert.deepEqual([during(0.1), during(1), during(1.5), during(9)], [30_000, 30_000, 45_000, 60_000])
  })
})
