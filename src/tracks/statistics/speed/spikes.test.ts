import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { columnsOf, DEGREES_PER_METER, northward } from '../../../../test/support/track-columns.ts'
import { legDistances } from '../trace/distance.ts'
import { removeSpikes } from './spikes.ts'

const RUN_LIMIT_MPS = 12

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
