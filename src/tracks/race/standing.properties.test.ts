import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { placeAt } from '../../../test/support/make-course.ts'
import { type At, makeRace, runThrough } from '../../../test/support/make-race.ts'
import { TEST_START_MS, type TestPoint } from '../../../test/support/track-columns.ts'

const LOOP: At[] = [
  [0, 0],
  [600, 0],
  [600, 600],
  [0, 600],
  [0, 0],
]
const race = makeRace(
  LOOP,
  [
    {
      kind: 'start',
      courseM: 0,
      line: [
        [0, 40],
        [0, -40],
      ],
    },
    { kind: 'checkpoint', courseM: 600, circle: [[600, 0], 40] },
    {
      kind: 'checkpoint',
      courseM: 1500,
      line: [
        [300, 560],
        [300, 640],
      ],
    },
    {
      kind: 'finish',
      courseM: 2400,
      line: [
        [-40, 0],
        [40, 0],
      ],
    },
  ],
  { trailMs: 60_000 },
)

/** A runner around the loop with a receiver that errs, leaps and fails, and sometimes says how well it knows. */
const track: fc.Arbitrary<TestPoint[]> = fc
  .record({
    speedMps: fc.double({ min: 1, max: 8, noNaN: true }),
    everySec: fc.integer({ min: 1, max: 20 }),
    errors: fc.array(
      fc.record({
        east: fc.double({ min: -15, max: 15, noNaN: true }),
        north: fc.double({ min: -15, max: 15, noNaN: true }),
        leapM: fc.oneof(
          { weight: 20, arbitrary: fc.constant(0) },
          { weight: 1, arbitrary: fc.integer({ min: 100, max: 3000 }) },
        ),
        accuracy: fc.option(fc.integer({ min: -1, max: 90 }), { nil: undefined }),
        isLost: fc.boolean(),
        repeats: fc.boolean(),
      }),
      { minLength: 1, maxLength: 40 },
    ),
    laps: fc.integer({ min: 1, max: 2 }),
  })
  .map(({ speedMps, everySec, errors, laps }) => {
    const places: At[] = [[-100, 0], ...Array.from({ length: laps }, () => LOOP.slice(0, 4)).flat(), [0, 0], [0, -80]]
    return runThrough(places, { speedMps, everySec }).flatMap((point, i) => {
      const { east, north, leapM, accuracy, isLost, repeats } = errors[i % errors.length]
      if (isLost && i % 3 === 0) return []
      const origin = placeAt(0, 0)
      const moved = placeAt(east + leapM, north)
      const place = {
        latitude: point.latitude! + moved.latitude - origin.latitude,
        longitude: point.longitude! + moved.longitude - origin.longitude,
      }
      const one = { ...point, ...place, accuracy }
      return repeats ? [one, { ...one, latitude: one.latitude + 1e-5, accuracy: 7 }] : [one]
    })
  })

describe('standingOf', () => {
  test('is the same however the points were divided among requests, and in which order they came', () => {
    fc.assert(
      fc.property(track, fc.array(fc.nat(), { maxLength: 8 }), fc.nat(), (points, cuts, shift) => {
        const times = [...new Set(points.map(({ sec }) => sec))].sort((a, b) => a - b)
        // Points of one time are one request's; a later one at the same time has everything computed again.
        const bounds = cuts.map((cut) => times[cut % times.length]).sort((a, b) => a - b)
        const sorted = [...points].sort((a, b) => a.sec - b.sec)
        const indexes = bounds.map((sec) => sorted.findIndex((point) => point.sec >= sec))
        const rotated = [...points.slice(shift % points.length), ...points.slice(0, shift % points.length)]

        const whole = race.followed(points)
        const divided = race.followed(rotated, indexes)

        assert.deepEqual(divided, whole)
        assert.deepEqual(race.standing(divided), race.standing(whole))
      }),
    )
  })

  test('continues from what was stored as if it had never stopped', () => {
    fc.assert(
      fc.property(track, (points) => {
        const followed = race.followed(points)

        assert.deepEqual(race.standing(JSON.parse(JSON.stringify(followed))), race.standing(followed))
      }),
    )
  })

  test('has passings in the order of the course and of time, within the recording', () => {
    fc.assert(
      fc.property(track, (points) => {
        const { passings, progressM } = race.standingAfter(points)

        for (const [i, { gate, timeMs, intervalSec }] of passings.entries()) {
          assert.ok(intervalSec > 0)
          if (i === 0) continue
          assert.ok(gate > passings[i - 1].gate && timeMs > passings[i - 1].timeMs)
        }
        assert.ok(progressM >= 0 && progressM <= race.shape.lengthM + 1)
      }),
    )
  })

  test('is at a time the same whatever comes later, as long as the trail lasts', () => {
    fc.assert(
      fc.property(track, fc.double({ min: 0, max: 1, noNaN: true }), (points, part) => {
        const untilSec = points[Math.floor(part * (points.length - 1))].sec
        const known = race.followed(points.filter(({ sec }) => sec <= untilSec))
        const goingOn = race.followed(points.filter(({ sec }) => sec <= untilSec + 60))

        const standing = race.standing(goingOn, { untilSec })

        assert.deepEqual(standing, race.standing(known, { untilSec }))
        for (const { timeMs } of standing.passings) assert.ok(timeMs <= TEST_START_MS + untilSec * 1000)
      }),
      { numRuns: 300 },
    )
  })
})
