import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { columnsOf, northward, type TestPoint } from '../../../test/support/track-columns.ts'
import type { Pause } from '../model/track-state.ts'
import { pausedLegs, stoppedLegs } from './legs.ts'
import { legDistances } from './trace.ts'

const times = Float64Array.of(0, 10, 20, 30, 40, 50)

function paused(...pauses: [number, number][]) {
  return [
    ...pausedLegs(
      times,
      pauses.map(([fromMs, toMs]): Pause => ({ fromMs, toMs })),
    ),
  ]
}

describe('pausedLegs', () => {
  test('marks every leg that a pause overlaps, at the point where it ends', () => {
    assert.deepEqual(paused([12, 25]), [0, 0, 1, 1, 0, 0])
  })

  test('does not mark legs that touch a pause at one instant', () => {
    assert.deepEqual(paused([10, 20]), [0, 0, 1, 0, 0, 0])
  })

  test('marks a leg with several pauses once', () => {
    assert.deepEqual(paused([11, 12], [13, 14], [15, 16], [41, 42]), [0, 0, 1, 0, 0, 1])
  })

  test('marks all legs after an open pause', () => {
    assert.deepEqual(paused([30, Number.POSITIVE_INFINITY]), [0, 0, 0, 0, 1, 1])
  })

  test('marks nothing for pauses without length, before the first and after the last point', () => {
    assert.deepEqual(paused([-20, 0], [15, 15], [50, 90]), [0, 0, 0, 0, 0, 0])
  })
})

/** Two minutes of riding, then nothing for `gapSec`, over which the bike gets `meters` further, then two more. */
function rideWithGap(gapSec: number, meters: number): TestPoint[] {
  const after = northward(120, 1, (i) => 600 + meters + 5 * i)
  return [...northward(121, 1, (i) => 5 * i), ...after.map((point) => ({ ...point, sec: point.sec + 120 + gapSec }))]
}

function stopped(points: TestPoint[], belowMps: number) {
  const trace = columnsOf(points)
  return [...stoppedLegs(trace, legDistances(trace), belowMps).entries()].flatMap(([i, mark]) => (mark ? [i] : []))
}

describe('stoppedLegs', () => {
  test('marks a long interruption that was slower than a ride', () => {
    assert.deepEqual(stopped(rideWithGap(1000, 650), 1.11), [121])
  })

  test('does not mark legs that may have been ridden or walked', () => {
    assert.deepEqual(stopped(rideWithGap(90, 400), 1.11), [])
    assert.deepEqual(stopped(rideWithGap(1000, 650), 0.28), [])
  })

  test('does not mark the drift of a short distance', () => {
    assert.deepEqual(stopped(rideWithGap(1000, 90), 1.11), [])
  })

  test('does not mark the legs of an even recording, however slow', () => {
    assert.deepEqual(
      stopped(
        northward(50, 3600, (i) => 150 * i),
        0.28,
      ),
      [],
    )
  })

  test('marks nothing in a track of few points, however long one of the intervals is', () => {
    const points = northward(30, 10, (i) => (i < 20 ? 30 * i : 300 + 30 * i))
    const late = points.map((point, i) => (i < 20 ? point : { ...point, sec: point.sec + 3600 }))

    assert.deepEqual(stopped(late.slice(0, 29), 1.11), [])
    assert.deepEqual(stopped(late, 1.11), [20])
  })

  test('marks nothing in a track of two points', () => {
    assert.deepEqual(
      stopped(
        northward(2, 86_400, (i) => 500 * i),
        1.11,
      ),
      [],
    )
  })
})
