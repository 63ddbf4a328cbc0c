import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { columnsOf, DEGREES_PER_METER, northward } from '../../../test/support/track-columns.ts'
import { wanderingNoise } from '../../../test/support/wandering-noise.ts'
import { maxPositionSpeed } from './position-speed.ts'
import { legDistances } from './trace.ts'

const RUN_LIMIT_MPS = 12

describe('maxPositionSpeed', () => {
  function maxOf(points: ReturnType<typeof northward>, starts = [0]) {
    const trace = columnsOf(points)
    const max = maxPositionSpeed(trace, legDistances(trace), Int32Array.from(starts), RUN_LIMIT_MPS)
    return max && Math.round(max.value * 1e6) / 1e6
  }

  test('is that of the smoothest path through many points', () => {
    const sprint = columnsOf(northward(300, 1, (i) => 2 * i + 3 * Math.min(20, Math.max(0, i - 100))))

    const max = maxPositionSpeed(sprint, legDistances(sprint), Int32Array.from([0]), RUN_LIMIT_MPS)!

    assert.ok(Math.abs(max.value - 5) < 0.2, `${max.value} m/s`)
    assert.ok(max.index >= 105 && max.index <= 115, `point ${max.index}`)
  })

  test('is that of an even walk, also in steps of different length and across the antimeridian', () => {
    const eastward = Array.from({ length: 100 }, (_, i) => {
      const sec = i * 2 + (i % 3)
      const degrees = 179.9995 + 1.5 * sec * DEGREES_PER_METER
      return { sec, longitude: degrees > 180 ? degrees - 360 : degrees }
    })

    assert.equal(maxOf(eastward), 1.5)
  })

  test('is hardly raised by the errors of positions', () => {
    const north = wanderingNoise(1800, 3, { keep: Math.exp(-1 / 20), seed: 1 })
    const jitter = wanderingNoise(1800, 0.3, { keep: 0, seed: 2 })

    const walked = maxOf(northward(1800, 1, (i) => 1.4 * i + north[i] + jitter[i]))!

    assert.ok(walked > 1.4 && walked < 2.4, `${walked} m/s`)
  })

  test('is the highest mean over 10 s of few points', () => {
    const sprint = northward(29, 1, (i) => 2 * i + 3 * Math.min(10, Math.max(0, i - 10)))

    assert.equal(maxOf(sprint), 5)
  })

  test('is at the point in the middle of its window', () => {
    const trace = columnsOf(northward(29, 1, (i) => 2 * i + 3 * Math.min(10, Math.max(0, i - 10))))

    assert.equal(maxPositionSpeed(trace, legDistances(trace), Int32Array.from([0]), RUN_LIMIT_MPS)?.index, 15)
  })

  test('does not count one jittering second as a speed', () => {
    const jitter = (count: number) => northward(count, 1, (i) => 2 * i + (i >= count / 2 ? 5 : 0))

    assert.equal(maxOf(jitter(28)), 2.5)
    assert.ok(maxOf(jitter(60))! < 3)
  })

  test('is not below the mean speed of the way', () => {
    const zigzag = northward(60, 1, (i) => 5 * (i % 2))

    assert.equal(maxOf(zigzag), 5)
  })

  test('is the fastest leg when points are further apart than 10 s', () => {
    assert.equal(maxOf(northward(4, 20, (i) => [0, 40, 140, 160][i])), 5)
  })

  test('is the overall mean of a recording shorter than 10 s', () => {
    assert.equal(maxOf(northward(4, 1, (i) => [0, 1, 5, 6][i])), 2)
  })

  test('does not cross the end of a run, and uses a short run only when there is no other', () => {
    const points = northward(40, 1, (i) => (i < 20 ? 2 * i : 1000 + 2 * i + (i >= 37 ? 8 * (i - 36) : 0)))

    assert.equal(maxOf(points, [0, 20, 36]), 2)
  })

  test('is unknown without a leg', () => {
    assert.equal(maxOf(northward(1, 1, () => 0)), undefined)
    assert.equal(
      maxOf(
        northward(2, 1, () => 0),
        [0, 1],
      ),
      undefined,
    )
  })
})
