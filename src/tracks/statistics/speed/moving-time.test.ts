import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { columnsOf, northward } from '../../../../test/support/track-columns.ts'
import { movingTimeSec } from './moving-time.ts'

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
