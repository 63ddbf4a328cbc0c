import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { columnsOf, northward, TEST_START_MS } from '../../../../test/support/track-columns.ts'
import { legDistances } from '../trace/distance.ts'
import { hasOwnSpeeds, maxOwnSpeed, maxPositionSpeed } from './max-speed.ts'

const RUN_LIMIT_MPS = 12

function withSpeeds(speeds: readonly (number | undefined)[]) {
  return columnsOf(speeds.map((speedMps, i) => ({ sec: i, speedMps })))
}

describe('hasOwnSpeeds', () => {
  test('is true from half of the points on; negative speeds are unknown, 0 is a speed', () => {
    assert.equal(hasOwnSpeeds(withSpeeds([0, undefined])), true)
    assert.equal(hasOwnSpeeds(withSpeeds([0, undefined, -1])), false)
    assert.equal(hasOwnSpeeds(withSpeeds([])), false)
  })
})

describe('maxOwnSpeed', () => {
  test('is the highest speed that is plausible', () => {
    const speeds = withSpeeds([3, 4.5, 60, -1, undefined, Number.POSITIVE_INFINITY])

    assert.deepEqual(maxOwnSpeed(speeds, [], RUN_LIMIT_MPS), { value: 4.5, index: 1 })
  })

  test('is unknown when no point carries a plausible one', () => {
    assert.equal(maxOwnSpeed(withSpeeds([-1, 60, undefined]), [], RUN_LIMIT_MPS), undefined)
  })

  test('leaves out speeds in a pause, not those at its edges', () => {
    const pauses = [{ fromMs: TEST_START_MS + 1000, toMs: TEST_START_MS + 3000 }]

    assert.equal(maxOwnSpeed(withSpeeds([1, 2, 9, 3, 1]), pauses, RUN_LIMIT_MPS)?.value, 3)
  })
})

describe('maxPositionSpeed', () => {
  function maxOf(points: ReturnType<typeof northward>, starts = [0]) {
    const trace = columnsOf(points)
    const max = maxPositionSpeed(trace, legDistances(trace), Int32Array.from(starts), RUN_LIMIT_MPS)
    return max && Math.round(max.value * 1e6) / 1e6
  }

  test('is the highest mean over 10 s when points are closer than that', () => {
    const sprint = northward(60, 1, (i) => 2 * i + 3 * Math.min(10, Math.max(0, i - 30)))

    assert.equal(maxOf(sprint), 5)
  })

  test('is at the point in the middle of its window', () => {
    const trace = columnsOf(northward(60, 1, (i) => 2 * i + 3 * Math.min(10, Math.max(0, i - 30))))

    assert.equal(maxPositionSpeed(trace, legDistances(trace), Int32Array.from([0]), RUN_LIMIT_MPS)?.index, 35)
  })

  test('does not count one jittering second as a speed', () => {
    const jitter = northward(60, 1, (i) => 2 * i + (i >= 30 ? 5 : 0))

    assert.equal(maxOf(jitter), 2.5)
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
