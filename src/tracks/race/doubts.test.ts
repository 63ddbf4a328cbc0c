import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { placeAt } from '../../../test/support/make-course.ts'
import { type At, makeRace, runThrough, type TestRun } from '../../../test/support/make-race.ts'
import { TEST_START_MS, type TestPoint } from '../../../test/support/track-columns.ts'
import { doubtsOf } from './doubts.ts'
import { type NotedTime, withNotedTimes } from './noted-times.ts'

const lineAt = (east: number): [At, At] => [
  [east, 25],
  [east, -25],
]
/** Four kilometres east, with a checkpoint half-way. */
const straight = makeRace(
  [
    [0, 0],
    [4000, 0],
  ],
  [
    { kind: 'start', courseM: 0, line: lineAt(0) },
    { kind: 'checkpoint', courseM: 2000, circle: [[2000, 0], 30] },
    { kind: 'finish', courseM: 4000, line: lineAt(4000) },
  ],
)

/** A runner along the course at 4 m/s up to a place, from 100 m before the start. */
const upTo = (east: number, north = 0, run: TestRun = {}) =>
  runThrough(
    [
      [-100, 0],
      [east, north],
    ],
    { speedMps: 4, ...run },
  )

type Judged = { nowSec?: number; hasStopped?: boolean; gunSec?: number; times?: [gate: number, sec: number][] }

/** Returns what is doubtful: kind, gate, the proposed second and the metres, rounded. */
function judge(race: typeof straight, points: readonly TestPoint[], over: Judged = {}) {
  const { nowSec = 100_000, hasStopped = false, gunSec, times = [] } = over
  const track = race.followed(points)
  const noted = times.map(([gate, sec]): [number, NotedTime] => {
    return [gate, { source: 'manual', timeMs: TEST_START_MS + sec * 1000 }]
  })
  const recorded = race.standing(track, { nowSec, ...(gunSec !== undefined && { gunSec }) })
  const standing = withNotedTimes(recorded, new Map(noted), race.settings.gates)
  const gunMs = gunSec === undefined ? null : TEST_START_MS + gunSec * 1000
  const nowMs = TEST_START_MS + nowSec * 1000
  return doubtsOf({ standing, track, hasStopped }, { settings: race.settings, gunMs, nowMs, silentAfterMs: 300_000 })
}
const inShort = (doubts: ReturnType<typeof judge>) =>
  doubts.map(({ kind, gate, timeMs, awayM }) => [
    kind,
    gate,
    Math.round((timeMs - TEST_START_MS) / 1000),
    awayM === null ? null : Math.round(awayM),
  ])

describe('a stop before the finish', () => {
  test('is doubtful from 30 to 150 m before the line, at the time of arrival there', () => {
    for (const beforeM of [31, 90, 149]) {
      const [doubt, ...others] = inShort(judge(straight, upTo(4000 - beforeM)))
      assert.deepEqual([doubt, others], [['near_stop', 2, Math.round((4100 - beforeM) / 4), beforeM], []])
    }
    assert.deepEqual(judge(straight, upTo(3980)), [])
  })

  test('is doubtful also for who then walks away from it, and no more for who then finishes', () => {
    const stands = Array.from(
      { length: 100 },
      (_, i): TestPoint => ({ sec: 1010 + i, ...placeAt(3940, 0), accuracy: 4 }),
    )
    const walk = (to: At) => runThrough([[3940, 0], to], { startSec: 1110, speedMps: 1.5 })

    const away = judge(straight, [...upTo(3940), ...stands, ...walk([3000, 300])])
    const crosses = judge(straight, [...upTo(3940), ...stands, ...walk([4030, 0])])

    assert.deepEqual(inShort(away), [['near_stop', 2, 1010, 60]])
    assert.deepEqual(crosses, [])
  })

  test('gives way to the nearest place of who turned at the line, a minute later and unless the line was crossed', () => {
    const walksOff = runThrough(
      [
        [3994, 0],
        [3700, 80],
        [3890, 0],
      ],
      { startSec: 1024, speedMps: 1.5 },
    )
    const rests = Array.from(
      { length: 100 },
      (_, i): TestPoint => ({ sec: 1360 + i, ...placeAt(3890, 0), accuracy: 4 }),
    )
    const turned = [...upTo(3994), ...walksOff]

    assert.deepEqual(inShort(judge(straight, [...turned, ...rests])), [['near_stop', 2, 1024, 6]])
    assert.deepEqual(
      judge(
        straight,
        turned.filter(({ sec }) => sec <= 1080),
        { nowSec: 1080 },
      ),
      [],
    )
    assert.deepEqual(judge(straight, [...upTo(4006), ...walksOff, ...rests]), [])
  })

  test('is none for who waits near it before the start, or has not come so far yet', () => {
    const loop = makeRace(
      [
        [0, 0],
        [2000, 0],
        [0, 50],
        [0, 10],
      ],
      [
        { kind: 'start', courseM: 0, line: lineAt(0) },
        { kind: 'finish', courseM: 4040, circle: [[0, 0], 20] },
      ],
    )
    const waits = Array.from({ length: 300 }, (_, i): TestPoint => ({ sec: i, ...placeAt(-60, 0), accuracy: 4 }))

    assert.deepEqual(judge(loop, waits), [])
    assert.deepEqual(judge(straight, upTo(3940), { nowSec: 1020 }), [])
  })
})

describe('a silence', () => {
  test('is doubtful on the last kilometre, with a time at the same pace, and nowhere before', () => {
    assert.deepEqual(inShort(judge(straight, upTo(3200))), [['silent', 2, 1025, 800]])
    assert.deepEqual(inShort(judge(straight, upTo(2900))), [])
  })

  test('counts from the time after which a phone has no signal, and at once for a recording that was stopped', () => {
    const nowSec = 3300 / 4 + 60

    assert.deepEqual(judge(straight, upTo(3200), { nowSec }), [])
    assert.equal(judge(straight, upTo(3200), { nowSec, hasStopped: true })[0].kind, 'silent')
  })
})

describe('a missed checkpoint', () => {
  const around = runThrough(
    [
      [-100, 0],
      [1500, 0],
      [2000, 200],
      [2500, 0],
      [4050, 0],
    ],
    { speedMps: 4 },
  )

  test('is doubtful once a later one is passed, with the time between its neighbours', () => {
    const [doubt] = judge(straight, around)

    assert.deepEqual(inShort([doubt]), [['missed', 1, 535, null]])
    assert.deepEqual([doubt.isEstimated, doubt.fromMs], [true, TEST_START_MS + 25_000])
    assert.deepEqual(judge(straight, around.slice(0, 700)), [])
  })

  test('is settled by a time', () => {
    assert.deepEqual(judge(straight, around, { times: [[1, 500]] }), [])
  })

  test('is the start only where nobody has a common one', () => {
    const late = runThrough(
      [
        [200, 0],
        [4050, 0],
      ],
      { startSec: 100, speedMps: 4 },
    )

    assert.deepEqual(
      judge(straight, late).map(({ kind, gate }) => [kind, gate]),
      [['missed', 0]],
    )
    assert.deepEqual(judge(straight, late, { gunSec: 50 }), [])
  })
})

describe('two passings', () => {
  /** The course passes its finish 420 m before the end of 5 km. */
  const twice = makeRace(
    [
      [0, 0],
      [4600, 0],
      [4800, 0],
      [4800, 20],
      [4590, 20],
    ],
    [
      { kind: 'start', courseM: 0, line: lineAt(0) },
      { kind: 'finish', courseM: 5020, circle: [[4600, 0], 40] },
    ],
  )

  test('are doubtful if the later one fits the length of the course clearly better', () => {
    const whole = runThrough(
      [
        [-20, 0],
        [4800, 0],
        [4800, 20],
        [4590, 20],
      ],
      { speedMps: 4 },
    )
    const [doubt, ...others] = judge(twice, whole)

    assert.deepEqual([doubt.kind, doubt.gate, others], ['two_passings', 1, []])
    assert.deepEqual(
      [doubt.countedMs, doubt.timeMs].map((ms) => Math.round((ms! - TEST_START_MS) / 1000)),
      [1145, 1251],
    )
    assert.deepEqual(judge(twice, whole, { times: [[1, 1250]] }), [])
  })

  test('are not for who walks about after the finish', () => {
    const walks = runThrough(
      [
        [4030, 0],
        [3700, 10],
        [4040, 10],
      ],
      { startSec: 1040, speedMps: 1.2 },
    )

    assert.deepEqual(judge(straight, [...upTo(4030), ...walks]), [])
  })
})
