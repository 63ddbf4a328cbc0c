import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { placeAt } from '../../../test/support/make-course.ts'
import { type At, makeRace, passingsOf, runThrough, type TestRun } from '../../../test/support/make-race.ts'
import type { TestPoint } from '../../../test/support/track-columns.ts'
import { isFarEnough } from './standing.ts'

const lineAt = (east: number, north = 25): [At, At] => [
  [east, north],
  [east, -north],
]
/** Two kilometres east. */
const straight = makeRace(
  [
    [0, 0],
    [2000, 0],
  ],
  [
    { kind: 'start', courseM: 0, line: lineAt(0) },
    { kind: 'checkpoint', courseM: 1000, line: lineAt(1000) },
    { kind: 'finish', courseM: 2000, line: lineAt(2000) },
  ],
)

/** A runner from 100 m before the start, at 4 m/s, whose recording ends so many metres before the finish. */
const upTo = (beforeM: number, run: TestRun = {}) =>
  runThrough(
    [
      [-100, 0],
      [2000 - beforeM, 0],
    ],
    { speedMps: 4, ...run },
  )

/** Points of someone who stands at a place, with a receiver that drifts by up to some metres. */
function standAt(place: At, fromSec: number, forSec: number, driftM = 3): TestPoint[] {
  return Array.from({ length: Math.floor(forSec) }, (_, i) => ({
    sec: fromSec + 1 + i,
    ...placeAt(place[0] + driftM * Math.sin(i * 1.7), place[1] + driftM * Math.cos(i * 2.3)),
    accuracy: 4,
  }))
}

const near = (actual: number, expected: number, tolerance: number) =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not about ${expected}`)

/** Returns the state, the time of the finish in seconds, and the metres from its line. */
function finishOf(race: typeof straight, points: readonly TestPoint[], over: { nowSec?: number } = {}) {
  const standing = race.standing(race.followed(points), over)
  const last = standing.passings.at(-1)
  const isFinish = last !== undefined && race.settings.gates[last.gate].kind === 'finish'
  return {
    state: standing.state,
    sec: isFinish ? passingsOf(standing).at(-1)![1] : Number.NaN,
    awayM: isFinish ? last.awayM : undefined,
  }
}

describe('a stop at the finish', () => {
  for (const beforeM of [0, 5, 7, 29]) {
    test(`finishes who ends the recording ${beforeM} m before the line, at the time of that place`, () => {
      const { state, sec, awayM } = finishOf(straight, upTo(beforeM))

      assert.equal(state, 'finished')
      near(sec, (2100 - beforeM) / 4, 0.2)
      if (beforeM > 0) near(awayM!, beforeM, 0.2)
    })
  }

  test('finishes nobody who ends the recording 31 m before the line', () => {
    assert.equal(finishOf(straight, upTo(31)).state, 'running')
  })

  test('leaves a crossing as it is, for who goes on and for who then stands behind the line', () => {
    const overshoot = finishOf(straight, upTo(-40))
    const standing = finishOf(straight, [...upTo(-12), ...standAt([2012, 0], 528, 300, 14)])

    assert.deepEqual(overshoot, { state: 'finished', sec: 525, awayM: null })
    assert.deepEqual(standing, overshoot)
  })

  for (const [beforeM, driftM] of [
    [7, 3],
    [12, 6],
    [25, 4],
  ]) {
    test(`times the arrival of who stands ${beforeM} m before the line for minutes, and drifts by ${driftM} m`, () => {
      const arrivalSec = (2100 - beforeM) / 4
      const points = [...upTo(beforeM), ...standAt([2000 - beforeM, 0], arrivalSec, 400, driftM)]

      const { state, sec } = finishOf(straight, points)

      assert.equal(state, 'finished')
      near(sec, arrivalSec, 2)
    })
  }

  test('counts before a receiver that drifts across the line minutes later, and not before a runner who goes on', () => {
    const drifting = [...upTo(6), ...standAt([1994, 0], 524, 120), ...standAt([2003, 0], 644, 60)]
    const helping = [...upTo(26), ...standAt([1974, 0], 519, 90), ...standAt([2010, 0], 640, 60)]

    near(finishOf(straight, drifting).sec, 523.5, 2)
    assert.equal(finishOf(straight, helping).awayM, null)
    near(finishOf(straight, helping).sec, 630, 12)
  })

  test('counts less than a crossing after some way, unless it was at the line', () => {
    const turning = (beforeM: number) => {
      const at: At = [2000 - beforeM, 0]
      const way = runThrough([at, [at[0] - 101, 0], [2010, 0]], { startSec: 700, speedMps: 4 })
      return finishOf(straight, [...upTo(beforeM), ...standAt(at, (2100 - beforeM) / 4, 90), ...way])
    }

    assert.equal(turning(26).awayM, null)
    near(turning(8).awayM!, 8, 3)
  })

  test('times who passes beside the end of the line when nearest to it', () => {
    const beside = runThrough(
      [
        [-100, 0],
        [1900, 0],
        [1950, 35],
        [2060, 35],
      ],
      { speedMps: 4 },
    )
    const rests = [...beside.slice(0, -10), ...standAt([2020, 35], beside.at(-10)!.sec, 90, 2)]

    const { state, sec, awayM } = finishOf(straight, rests)

    assert.equal(state, 'finished')
    near(awayM!, 10, 0.5)
    const atLine = beside.find(({ longitude }) => longitude! >= placeAt(2000, 0).longitude)!
    near(sec, atLine.sec, 2)
  })

  test('is known a minute after the last point, so that a runner who arrives is not timed too early', () => {
    const arriving = upTo(10)
    const lastSec = arriving.at(-1)!.sec

    assert.equal(finishOf(straight, arriving, { nowSec: lastSec + 59 }).state, 'running')
    assert.equal(finishOf(straight, arriving, { nowSec: lastSec + 60 }).state, 'finished')
  })

  test('is taken back once later points show that the runner has gone on', () => {
    const points = upTo(28)
    const later = runThrough(
      [
        [1930, 60],
        [1800, 300],
      ],
      { startSec: 600, speedMps: 4 },
    )

    assert.equal(finishOf(straight, points).state, 'finished')
    assert.equal(finishOf(straight, [...points, ...later]).state, 'running')
  })

  test('finishes nobody who passes or waits near the finish of a loop at the start', () => {
    const loop: At[] = [
      [0, 0],
      [1000, 0],
      [1000, 1000],
      [0, 1000],
    ]
    const race = makeRace(
      [...loop, [0, 10]],
      [
        { kind: 'start', courseM: 0, line: lineAt(0) },
        {
          kind: 'finish',
          courseM: 3990,
          line: [
            [-25, 10],
            [25, 10],
          ],
        },
      ],
    )
    const waiting = standAt([-10, 5], 0, 1200)
    const started = runThrough([[-10, 0], [5, 2], [30, 0], ...loop.slice(1, 3)], { startSec: 1201, speedMps: 4 })
    const whole = runThrough([[-10, 0], ...loop.slice(1), [0, 17]], { startSec: 1201, speedMps: 4 })

    assert.equal(finishOf(race, waiting).state, 'not-started')
    assert.equal(finishOf(race, [...waiting, ...started]).state, 'running')
    const { state, sec } = finishOf(race, [...waiting, ...whole])
    assert.equal(state, 'finished')
    near(sec, whole.at(-1)!.sec, 0.3)
  })

  test('needs the course to have been run, whatever a phone that slept may have missed', () => {
    const absent = [...standAt([1990, 5], 0, 1), ...standAt([1990, 5], 7200, 200)]

    assert.equal(finishOf(straight, absent).state, 'not-started')
  })
})

describe('a stop at the start', () => {
  test('is the departure of who waits behind the line, or begins to record there', () => {
    const way: At[] = [
      [12, 0],
      [2100, 0],
    ]
    const waits = [...standAt([12, 0], 0, 400), ...runThrough(way, { startSec: 401, speedMps: 4 })]
    const begins = runThrough(way, { startSec: 401, speedMps: 4 })

    for (const points of [waits, begins]) {
      const { passings } = straight.standingAfter(points)
      const [[gate, sec]] = passingsOf(straight.standingAfter(points))
      assert.equal(gate, 0)
      near(sec, 401, 1.5)
      near(passings[0].awayM!, 12, 3)
    }
  })

  test('counts after a crossing, and not for who leaves the place against the course', () => {
    const crossing = [
      ...runThrough(
        [
          [-50, 0],
          [10, 0],
        ],
        { speedMps: 2 },
      ),
      ...standAt([10, 0], 30, 90),
      ...runThrough(
        [
          [10, 0],
          [500, 0],
        ],
        { startSec: 121 },
      ),
    ]
    const away = [
      ...standAt([-12, 0], 0, 90),
      ...runThrough(
        [
          [-12, 0],
          [-400, 0],
        ],
        { startSec: 91 },
      ),
    ]

    assert.deepEqual(passingsOf(straight.standingAfter(crossing))[0], [0, 25])
    assert.equal(straight.standingAfter(crossing).passings[0].awayM, null)
    assert.equal(straight.standingAfter(away).state, 'not-started')
  })
})

describe('stops near lines', () => {
  /** A runner who slows down, stands, goes on and comes back about the finish, with gaps. */
  const restless = fc
    .array(
      fc.record({
        east: fc.integer({ min: -60, max: 40 }),
        north: fc.integer({ min: -45, max: 45 }),
        stillSec: fc.constantFrom(0, 0, 20, 70, 130),
        gapSec: fc.constantFrom(0, 0, 0, 30, 65, 100),
      }),
      { minLength: 1, maxLength: 7 },
    )
    .map((moves) => {
      const points = upTo(80, { everySec: 5 })
      let at: At = [1920, 0]
      for (const { east, north, stillSec, gapSec } of moves) {
        const to: At = [2000 + east, north]
        const startSec = points.at(-1)!.sec + 1 + gapSec
        points.push(...runThrough([at, to], { startSec, speedMps: 3, everySec: 2 }))
        if (stillSec > 0) points.push(...standAt(to, Math.ceil(points.at(-1)!.sec), stillSec))
        at = to
      }
      return points
    })
  const watched = makeRace(
    [
      [0, 0],
      [2000, 0],
    ],
    [
      { kind: 'start', courseM: 0, line: lineAt(0) },
      { kind: 'finish', courseM: 2000, line: lineAt(2000) },
    ],
    { trailMs: 1_000_000 },
  )

  test('are the same in any order of arrival, and continued from what was stored', () => {
    fc.assert(
      fc.property(restless, fc.array(fc.nat(), { maxLength: 6 }), (points, cuts) => {
        const bounds = cuts.map((cut) => cut % points.length).sort((a, b) => a - b)
        const whole = straight.followed(points)
        const divided = straight.followed([...points].reverse(), bounds)

        assert.deepEqual(divided, whole)
        assert.deepEqual(straight.standing(JSON.parse(JSON.stringify(divided))), straight.standing(whole))
      }),
    )
  })

  test('are at a time the same whatever comes later', () => {
    fc.assert(
      fc.property(restless, fc.double({ min: 0.5, max: 1, noNaN: true }), (points, part) => {
        const untilSec = points[Math.floor(part * (points.length - 1))].sec + 62
        const known = watched.followed(points.filter(({ sec }) => sec <= untilSec))

        const { progressM: _, offCourseM: __, ...then } = watched.standing(watched.followed(points), { untilSec })
        const { progressM: ___, offCourseM: ____, ...now } = watched.standing(known, { untilSec })

        assert.deepEqual(then, now)
      }),
      { numRuns: 300 },
    )
  })

  test('a stop beside the finish counts after most of a short course, where a crossing counts earlier', () => {
    const visit = { gate: 0, timeMs: 0, knownMs: 0, intervalSec: 0, travelledM: 0, unseenM: 0, untilTravelledM: 0 }
    const counts = (awayM: number | undefined, wayM: number, { unseenM = 0, courseM = 1000 } = {}) =>
      isFarEnough({ ...visit, ...(awayM === undefined ? {} : { awayM }) }, 'finish', wayM, unseenM, courseM)

    assert.deepEqual([counts(undefined, 700), counts(20, 700)], [true, false])
    assert.deepEqual([counts(20, 760), counts(undefined, 540)], [true, false])
    // Half the course must have been seen.
    const unseen = { unseenM: 5000 }
    assert.deepEqual(
      [counts(undefined, 499, unseen), counts(20, 499, unseen), counts(20, 500, unseen)],
      [true, false, true],
    )
    const long = { courseM: 10_000 }
    assert.deepEqual([counts(20, 8199, long), counts(20, 8200, long)], [false, true])
  })
})
