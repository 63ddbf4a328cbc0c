import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { columnsOf, DEGREES_PER_METER, northward, TEST_START_MS } from '../../../test/support/track-columns.ts'
import { WHOLE_TRACK } from '../model/track-state.ts'
import { pointsWithin } from '../points/point-columns.ts'
import { downsampleTrack, trimmedEnds } from './downsample.ts'

/** A straight walk of so many points, with an altitude and a speed at each. */
function walk(count: number, fields: { altitudes?: Float64Array; speeds?: Float64Array; starts?: number[] } = {}) {
  const { altitudes = new Float64Array(count), speeds = new Float64Array(count), starts = [0] } = fields
  return { trace: columnsOf(northward(count, 1, (i) => i)), altitudes, speeds, starts: Int32Array.from(starts) }
}

describe('downsampleTrack', () => {
  test('keeps all points when they are few enough', () => {
    assert.deepEqual([...downsampleTrack(walk(4), 4)], [0, 1, 2, 3])
  })

  test('keeps the summit, the fastest moment and the turning point', () => {
    const input = walk(1000)
    input.altitudes[123] = 900
    input.altitudes[124] = -900
    input.speeds[456] = 30
    input.trace.longitude[789] = 0.001

    const kept = new Set(downsampleTrack(input, 100))

    for (const index of [0, 123, 124, 456, 789, 999]) assert.ok(kept.has(index), `${index}`)
  })

  test('keeps both sides of gaps', () => {
    const kept = new Set(downsampleTrack(walk(1000, { starts: [0, 400, 700] }), 100))

    for (const index of [399, 400, 699, 700]) assert.ok(kept.has(index), `${index}`)
  })

  test('returns ascending indexes with the first and the last, and at most the number asked for', () => {
    const number = fc.oneof(fc.constant(Number.NaN), fc.double({ min: -100, max: 100, noNaN: true }))
    const property = fc.property(
      fc.array(number, { minLength: 51, maxLength: 400 }),
      fc.integer({ min: 50, max: 300 }),
      fc.array(fc.nat(399)),
      (values, maxPoints, gaps) => {
        const column = Float64Array.from(values)
        const starts = [0, ...new Set(gaps.filter((gap) => gap > 0 && gap < values.length))].sort((a, b) => a - b)
        const kept = downsampleTrack(walk(values.length, { altitudes: column, speeds: column, starts }), maxPoints)
        assert.ok(kept.length <= maxPoints)
        assert.deepEqual([kept[0], kept.at(-1)], [0, values.length - 1])
        for (let i = 1; i < kept.length; i++) assert.ok(kept[i] > kept[i - 1])
      },
    )
    fc.assert(property)
  })
})

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
