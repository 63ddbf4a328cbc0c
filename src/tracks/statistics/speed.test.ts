import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { columnsOf, DEGREES_PER_METER, northward, TEST_START_MS } from '../../../test/support/track-columns.ts'
import { hasOwnSpeeds, maxOwnSpeed, movingTimeSec, removeSpikes, stoppedBelowMps } from './speed.ts'
import { legDistances } from './trace.ts'

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

/** 100 s at a walk, 100 s at a stop, 100 s at a walk. */
const walkStopWalk = northward(301, 1, (i) => 1.4 * (Math.min(i, 100) + Math.max(0, i - 200)))
const ONE_RUN = Int32Array.of(0)

describe('movingTimeSec', () => {
  test('leaves out standing, detected from positions within the few seconds of its window', () => {
    const seconds = movingTimeSec(columnsOf(walkStopWalk), ONE_RUN, 'walk', false)

    assert.ok(Math.abs(seconds - 200) <= 5, `${seconds} s`)
  })

  test('uses the speeds of the points', () => {
    const points = walkStopWalk.map((point, i) => ({ ...point, speedMps: i > 50 && i <= 150 ? 0 : 1.4 }))

    assert.equal(movingTimeSec(columnsOf(points), ONE_RUN, 'walk', true), 200)
  })

  test('does not use the speed at the end of a long interruption', () => {
    const points = northward(3, 600, (i) => 5 * i).map((point) => ({ ...point, speedMps: 3 }))

    assert.equal(movingTimeSec(columnsOf(points), ONE_RUN, 'run', true), 0)
  })

  test('counts a slow climb on foot that would be standing on a bike', () => {
    const points = columnsOf(northward(101, 1, (i) => 0.5 * i))

    assert.equal(movingTimeSec(points, ONE_RUN, 'hike', false), 100)
    assert.equal(movingTimeSec(points, ONE_RUN, 'bike', false), 0)
  })

  test('does not count the leg between two runs', () => {
    const points = columnsOf(northward(101, 1, (i) => 2 * i))

    assert.equal(movingTimeSec(points, Int32Array.of(0, 40), 'run', false), 99)
  })
})

describe('stoppedBelowMps', () => {
  test('is the standing speed of the activity, raised by a fast track up to that of a bike', () => {
    assert.equal(stoppedBelowMps('hike', 0.6), 0.28)
    assert.equal(stoppedBelowMps('run', 3), 1)
    assert.equal(stoppedBelowMps('run', 8), 1.11)
    assert.equal(stoppedBelowMps('bike', 2), 1.11)
    assert.equal(stoppedBelowMps('bike', 8), 1.11)
  })
})

/** A run north at 3 m/s for 100 points, with the points from `from` to `to` moved `meters` to the east. */
function runWithExcursion(from: number, to: number, meters: number) {
  const points = northward(100, 1, (i) => 3 * i)
  for (let i = from; i <= to; i++) points[i].longitude = meters * DEGREES_PER_METER
  return columnsOf(points)
}

function spikesOf(trace: ReturnType<typeof columnsOf>) {
  return removeSpikes(trace, legDistances(trace), RUN_LIMIT_MPS).spikes
}

describe('removeSpikes', () => {
  for (const [meters, length] of [
    [30, 1],
    [80, 1],
    [300, 1],
    [3000, 1],
    [300, 10],
    [1000, 20],
  ]) {
    test(`leaves out an excursion of ${meters} m over ${length} points, and nothing else`, () => {
      const trace = runWithExcursion(40, 39 + length, meters)

      const result = removeSpikes(trace, legDistances(trace), RUN_LIMIT_MPS)

      assert.equal(result.spikes, length)
      assert.ok(result.trace.longitude.every((longitude) => longitude === 0))
      assert.deepEqual(result.legMeters, legDistances(result.trace))
    })
  }

  test('keeps a track without spikes as it is, in the same memory', () => {
    const trace = columnsOf(northward(100, 1, (i) => 3 * i))

    assert.equal(removeSpikes(trace, legDistances(trace), RUN_LIMIT_MPS).trace, trace)
  })

  test('keeps a jump that does not come back: most often it is the catch-up after a lag', () => {
    const trace = columnsOf(northward(100, 1, (i) => (i < 50 ? 3 * i : 3 * i + 200)))

    assert.equal(spikesOf(trace), 0)
  })

  test('keeps an excursion that comes back at a plausible speed', () => {
    const trace = columnsOf([0, 15, 10, 5, 0, 0].map((meters, i) => ({ sec: i, latitude: meters * DEGREES_PER_METER })))

    assert.equal(spikesOf(trace), 0)
  })

  test('keeps an excursion longer than the look-ahead', () => {
    assert.equal(spikesOf(runWithExcursion(20, 60, 1000)), 0)
  })

  test('keeps a wrong first and a wrong last point, which nothing precedes or follows', () => {
    assert.equal(spikesOf(runWithExcursion(0, 0, 5000)), 0)
    assert.equal(spikesOf(runWithExcursion(99, 99, 5000)), 0)
  })
})
