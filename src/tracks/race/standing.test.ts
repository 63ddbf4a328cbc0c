import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { placeAt } from '../../../test/support/make-course.ts'
import { type At, makeRace, passingsOf, runThrough } from '../../../test/support/make-race.ts'
import { TEST_START_MS } from '../../../test/support/track-columns.ts'

const WAITING: At = [-200, 0]
/** One kilometre east. */
const STRAIGHT: At[] = [
  [0, 0],
  [1000, 0],
]
const lineAt = (east: number): [At, At] => [
  [east, 30],
  [east, -30],
]
const straight = makeRace(STRAIGHT, [
  { kind: 'start', courseM: 0, line: lineAt(0) },
  { kind: 'checkpoint', courseM: 400, line: lineAt(400) },
  { kind: 'checkpoint', courseM: 700, circle: [[700, 0], 50] },
  { kind: 'finish', courseM: 1000, line: lineAt(1000) },
])
const WHOLE: At[] = [WAITING, [1200, 0]]

const LAP: At[] = [
  [0, 0],
  [800, 0],
  [800, 800],
  [0, 800],
]
/** Three laps; the line after 400 metres counts from the second lap on. */
const laps = makeRace(
  [...LAP, ...LAP, ...LAP, [0, 0]],
  [
    { kind: 'start', courseM: 0, line: lineAt(0) },
    ...[1, 2].map((count) => ({ kind: 'checkpoint' as const, courseM: 3200 * count + 400, line: lineAt(400) })),
    {
      kind: 'finish',
      courseM: 9600,
      line: [
        [-30, 5],
        [30, 5],
      ] as [At, At],
    },
  ],
)

describe('standingOf', () => {
  test('interpolates the passing of a line between two points, and the entry into a circle', () => {
    const standing = straight.standingAfter(runThrough(WHOLE, { speedMps: 4, everySec: 7 }))

    // 200 m at 4 m/s before the start; the circle begins 50 m before its middle.
    assert.deepEqual(passingsOf(standing), [
      [0, 50],
      [1, 150],
      [2, 212.5],
      [3, 300],
    ])
    assert.deepEqual([standing.state, standing.progressM], ['finished', 1000])
  })

  test('states half the time between the two points and the time for their accuracy as the interval', () => {
    const often = straight.standingAfter(runThrough(WHOLE, { speedMps: 4, everySec: 1, accuracy: 4 }))
    const seldom = straight.standingAfter(runThrough(WHOLE, { speedMps: 4, everySec: 30, accuracy: 20 }))

    assert.deepEqual(
      [often, seldom].map(({ passings }) => Math.round(passings[1].intervalSec * 10) / 10),
      [0.5 + 1, 15 + 5],
    )
  })

  test('takes the direction into account: a line counts as the course crosses it', () => {
    const back = straight.standingAfter(runThrough([[1200, 0], WAITING]))

    assert.deepEqual(passingsOf(back), [[2, (1200 - 750) / 3]])
  })

  test('is the progress along the course while running, and the distance from it off the course', () => {
    const on = straight.standingAfter(runThrough([WAITING, [500, 10]]))
    const off = straight.standingAfter(runThrough([WAITING, [500, 0], [500, 300]]))

    assert.deepEqual([on.state, Math.round(on.progressM), on.offCourseM], ['running', 500, null])
    assert.deepEqual([Math.round(off.progressM), Math.round(off.offCourseM ?? 0)], [500, 300])
  })

  test('has not started before the start line, wherever the runner walks about', () => {
    const standing = straight.standingAfter(runThrough([WAITING, [-20, 0], WAITING, [-20, 10]]))

    assert.deepEqual([standing.state, standing.progressM, standing.passings], ['not-started', 0, []])
  })

  test('counts the last crossing of the start line, and the first of all others', () => {
    const places: At[] = [WAITING, [10, 0], [-10, 0], [450, 0], [390, 0], [500, 0]]

    const standing = straight.standingAfter(runThrough(places, { speedMps: 2 }))

    assert.deepEqual(passingsOf(standing), [
      [0, (210 + 20 + 10) / 2],
      [1, (210 + 20 + 410) / 2],
    ])
  })

  test('leaves out a warm-up before the common start', () => {
    const warmUp = runThrough([WAITING, [1100, 0], WAITING], { speedMps: 4 })
    const race = runThrough(WHOLE, { speedMps: 4, startSec: 1000 })
    const track = straight.followed([...warmUp, ...race])

    assert.deepEqual(passingsOf(straight.standing(track, { gunSec: 1000 }))[0], [0, 1050])
  })

  test('leaves out leaps away and back, and points of a bad accuracy', () => {
    const points = runThrough([WAITING, [300, 0]])
    const leap = points.map((point) => (point.sec >= 90 && point.sec < 95 ? { ...point, ...placeAt(900, 0) } : point))
    const inaccurate = points.map((point) =>
      point.sec === 90 ? { ...point, ...placeAt(420, 0), accuracy: 80 } : point,
    )

    for (const track of [leap, inaccurate]) {
      assert.deepEqual(passingsOf(straight.standingAfter(track)), passingsOf(straight.standingAfter(points)))
    }
  })

  test('passes a gate in a gap of the recording, with a wide interval', () => {
    const points = runThrough([WAITING, [600, 0]], { speedMps: 4 }).filter(({ sec }) => sec < 100 || sec > 190)

    const standing = straight.standingAfter(points)

    assert.deepEqual(passingsOf(standing)[1], [1, 150])
    assert.ok(standing.passings[1].intervalSec > 45)
  })

  test('skips a gate that a runner goes around', () => {
    const around: At[] = [WAITING, [300, 0], [300, 200], [500, 200], [500, 0], [1100, 0]]

    assert.deepEqual(
      passingsOf(straight.standingAfter(runThrough(around))).map(([gate]) => gate),
      [0, 2, 3],
    )
  })

  test('tells the way out from the way back, where one line is passed twice', () => {
    const course: At[] = [
      [0, 0],
      [2000, 0],
      [0, 0],
    ]
    const race = makeRace(course, [
      { kind: 'start', courseM: 0, line: lineAt(10) },
      { kind: 'checkpoint', courseM: 500, circle: [[500, 0], 30] },
      { kind: 'checkpoint', courseM: 3500, circle: [[500, 0], 30] },
      { kind: 'finish', courseM: 3990, line: lineAt(10) },
    ])

    const out = race.standingAfter(runThrough([WAITING, [1500, 0]]))
    const back = race.standingAfter(runThrough([WAITING, [2000, 0], [400, 0]]))

    assert.deepEqual([passingsOf(out).map(([gate]) => gate), Math.round(out.progressM)], [[0, 1], 1500])
    assert.deepEqual([passingsOf(back).map(([gate]) => gate), Math.round(back.progressM)], [[0, 1, 2], 3600])
  })

  test('counts laps by the way that was run, also where the first passing is missing', () => {
    const points = runThrough([WAITING, ...LAP, ...LAP, ...LAP, [0, -20]], { speedMps: 4 })

    const all = laps.standingAfter(points)
    const gap = laps.standingAfter(points.filter(({ sec }) => sec < 800 || sec > 1100))

    assert.deepEqual(
      passingsOf(all).map(([gate]) => gate),
      [0, 1, 2, 3],
    )
    assert.deepEqual(
      passingsOf(gap).map(([gate]) => gate),
      [0, 2, 3],
    )
    assert.deepEqual(passingsOf(gap).at(-2), passingsOf(all).at(-2))
    const first = laps.standingAfter(points.filter(({ sec }) => sec < 800))
    assert.deepEqual([passingsOf(first).map(([gate]) => gate), first.state], [[0], 'running'])
    // 200 m to the start, 3600 m to the first gate, and 800 m more.
    const second = laps.standingAfter(points.filter(({ sec }) => sec <= 1150))
    assert.deepEqual([second.passings.length, Math.round(second.progressM)], [2, 4400])
    const unseen = [
      ...runThrough([
        [-100, -100],
        [-90, -100],
      ]),
      ...runThrough(
        [
          [0, 60],
          [0, -20],
        ],
        { startSec: 2400 },
      ),
    ]
    assert.deepEqual(
      passingsOf(laps.standingAfter(unseen)).map(([gate]) => gate),
      [3],
    )
  })

  test('counts no way before the common start, seen or not', () => {
    const line = lineAt(0)
    const lap: At[] = [
      [400, 0],
      [400, 800],
      [-400, 800],
      [-400, 0],
    ]
    const race = makeRace(
      [[0, 0], ...lap, ...lap, ...lap, [0, 0]],
      [
        { kind: 'start', courseM: 0, line },
        ...[1, 2].map((count) => ({ kind: 'checkpoint' as const, courseM: 3200 * count, line })),
        { kind: 'finish', courseM: 9600, line },
      ],
    )
    const threeLaps: At[] = [...lap, ...lap, ...lap, [100, 0]]
    const asleep = runThrough([WAITING, [-190, 0]])
    const awake = runThrough([[100, 0], ...threeLaps], { startSec: 3640, speedMps: 4 })
    const jogged = runThrough([WAITING, ...lap, WAITING], { speedMps: 4 })
    const early = runThrough([WAITING, ...threeLaps], { startSec: 3540, speedMps: 4 })

    for (const [before, after] of [
      [asleep, awake],
      [jogged, early],
    ]) {
      const track = (untilSec: number) => race.followed([...before, ...after.filter(({ sec }) => sec < untilSec)])
      const passedBy = (untilSec: number) =>
        passingsOf(race.standing(track(untilSec), { gunSec: 3600 })).map(([gate]) => gate)
      assert.deepEqual([passedBy(4600), passedBy(5400), passedBy(7000)], [[1], [1, 2], [1, 2, 3]])
    }
  })

  test('shows spectators nothing later than they may see', () => {
    const race = makeRace(
      STRAIGHT,
      [
        { kind: 'start', courseM: 0, line: lineAt(0) },
        { kind: 'finish', courseM: 1000, line: lineAt(1000) },
      ],
      {
        trailMs: 120_000,
      },
    )
    const track = race.followed(runThrough(WHOLE, { speedMps: 4 }))

    const before = race.standing(track, { untilSec: 250 })

    assert.deepEqual([before.state, passingsOf(before)], ['running', [[0, 50]]])
    assert.equal(Math.round(before.progressM), 800)
    assert.deepEqual(
      [299, 300].map((untilSec) => race.standing(track, { untilSec }).state),
      ['running', 'finished'],
    )
  })

  test('is known from the passings alone, where no position has been kept', () => {
    const track = straight.followed(runThrough(WHOLE, { speedMps: 4 }))

    const [early, later] = [10, 200].map((untilSec) => straight.standing(track, { untilSec }))

    assert.deepEqual([early.state, early.progressM], ['not-started', 0])
    assert.deepEqual([later.state, later.progressM], ['running', 400])
  })

  test('does not fall back behind the last gate, nor off the course on the way to the middle of a circle', () => {
    const race = makeRace(STRAIGHT, [
      { kind: 'start', courseM: 0, line: lineAt(0) },
      { kind: 'checkpoint', courseM: 400, line: lineAt(400) },
      { kind: 'checkpoint', courseM: 800, circle: [[800, 0], 95] },
    ])

    const back = race.standingAfter(runThrough([WAITING, [420, 0], [380, 0]]))
    const entering = race.standingAfter(runThrough([WAITING, [720, 0]]))

    assert.equal(back.progressM, 400)
    assert.deepEqual([passingsOf(entering).length, entering.progressM, entering.offCourseM], [3, 800, null])
  })

  test('allows for the accuracy of a position before it is off the course', () => {
    const beside = (accuracy: number) => runThrough([WAITING, [300, 0], [300, 80], [380, 80]], { accuracy })

    assert.equal(straight.standingAfter(beside(40)).offCourseM, null)
    assert.equal(Math.round(straight.standingAfter(beside(4)).offCourseM ?? 0), 80)
  })

  describe('of a phone that records from the middle of the course on', () => {
    const outAndBack = makeRace(
      [
        [0, 0],
        [2000, 0],
        [0, 0],
      ],
      [
        { kind: 'start', courseM: 0, line: lineAt(10) },
        { kind: 'finish', courseM: 3990, line: lineAt(10) },
      ],
    )
    const standings = (toEast: number, gunSec?: number) => {
      const { state, progressM } = outAndBack.standing(
        outAndBack.followed(
          runThrough([
            [600, 0],
            [toEast, 0],
          ]),
        ),
        { gunSec },
      )
      return [state, Math.round(progressM)]
    }

    test('has started after half a kilometre on the course', () => {
      assert.deepEqual(
        [standings(1050), standings(1200)],
        [
          ['not-started', 0],
          ['running', 1200],
        ],
      )
      const beside = runThrough([
        [600, 0],
        [1200, 0],
        [1200, 300],
      ])
      assert.equal(outAndBack.standingAfter(beside).state, 'not-started')
    })

    test('has started with the gun, from that moment on', () => {
      assert.deepEqual(
        [standings(630, 0), standings(630, 10)],
        [
          ['running', 630],
          ['running', 630],
        ],
      )
      assert.deepEqual(standings(630, 11), ['not-started', 0])
    })
  })

  test('is where a runner who turns early goes, of the places that the way allows', () => {
    const race = makeRace(
      [
        [0, 0],
        [2000, 0],
        [0, 0],
      ],
      [
        { kind: 'start', courseM: 0, line: lineAt(0) },
        { kind: 'finish', courseM: 4000, line: lineAt(0) },
      ],
    )

    // 2000 m were run: as far from 1700 m on the way out as from 2300 m on the way back.
    assert.equal(Math.round(race.standingAfter(runThrough([WAITING, [1850, 0], [1700, 0]])).progressM), 2300)
  })

  test('is on the nearer part of the course, where two go the same way', () => {
    const race = makeRace(
      [
        [0, 0],
        [200, 0],
        [200, 25],
        [0, 25],
        [0, 50],
        [200, 50],
        [1000, 50],
      ],
      [{ kind: 'start', courseM: 0, line: lineAt(0) }],
    )

    const { progressM } = race.standingAfter(runThrough([WAITING, [100, 0], [0, 50], [90, 50]]))

    assert.equal(Math.round(progressM), 540)
  })

  describe('on two kilometres straight ahead', () => {
    const race = makeRace(
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
    const times = (...places: At[]) => passingsOf(race.standingAfter(runThrough([WAITING, ...places], { speedMps: 5 })))

    test('begins with the last of two starts far apart, with and without a later gate', () => {
      const second = (200 + 110 + 115 + 5) / 5

      assert.deepEqual(times([110, 0], [-5, 0], [300, 0]), [[0, second]])
      assert.deepEqual(times([110, 0], [-5, 0], [1100, 0])[0], [0, second])
    })

    test('has the first of two passings far apart that are equally likely', () => {
      assert.deepEqual(times([1110, 0], [995, 0], [2100, 0])[1], [1, 1200 / 5])
    })

    test('has every gate in the right order, however long the way to it was', () => {
      const wandering = times([300, 0], [300, 2500], [300, 0], [2100, 0])

      assert.deepEqual(
        wandering.map(([gate]) => gate),
        [0, 1, 2],
      )
    })

    test('counts a passing at the moment of the gun', () => {
      const track = race.followed(runThrough([WAITING, [300, 0]], { speedMps: 5 }))
      const startMs = race.standing(track).passings[0].timeMs
      const gunSec = (startMs - TEST_START_MS) / 1000

      assert.equal(race.standing(track, { gunSec }).passings.length, 1)
      assert.equal(race.standing(track, { gunSec: gunSec + 0.01 }).passings.length, 0)
    })
  })
})
