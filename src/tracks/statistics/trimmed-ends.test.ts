import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { columnsOf, DEGREES_PER_METER, northward, TEST_START_MS } from '../../../test/support/track-columns.ts'
import { WHOLE_TRACK } from '../domain/shown-part.ts'
import { pointsWithin } from '../points/point-set.ts'
import { trimmedEnds } from './trimmed-ends.ts'

const SETTINGS = { activityType: 'run', maxAccuracyMeters: 50 } as const
const points = columnsOf(northward(10, 10, (i) => 30 * i))
const metersOf = (latitude: Float64Array) => [...latitude].map((degrees) => Math.round(degrees / DEGREES_PER_METER))

describe('the ends of a trimmed track', () => {
  test('are the points before and after the shown part, to the millisecond', () => {
    const shown = { fromMs: TEST_START_MS + 20_000, untilMs: TEST_START_MS + 70_000 }

    const ends = trimmedEnds(points, shown, SETTINGS)

    assert.deepEqual(
      ends.map(({ latitude }) => metersOf(latitude)),
      [
        [0, 30],
        [240, 270],
      ],
    )
    assert.deepEqual(metersOf(pointsWithin(points, shown).latitude), [60, 90, 120, 150, 180, 210])
  })

  test('are none if the whole track is shown', () => {
    assert.deepEqual(trimmedEnds(points, WHOLE_TRACK, SETTINGS), [])
    assert.equal(pointsWithin(points, WHOLE_TRACK), points)
  })
})
