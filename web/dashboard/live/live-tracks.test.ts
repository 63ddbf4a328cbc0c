import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Frame, FrameTrack } from '../../../clients/typescript/src/live/frames.ts'
import type { SharedTrack } from '../../../src/tracks/api/operator-track-schemas.ts'
import {
  applyFrame,
  applyPastLine,
  applyRanking,
  applySummary,
  createLiveTracks,
  firstViewOf,
  headOf,
  type LiveTracks,
  refreshStatuses,
} from './live-tracks.ts'
import { longitudeOf, placeAt, valueAt } from './replay-timeline.ts'
import { namesOf } from './runners.ts'

const apply = (...frame: Parameters<typeof applyFrame>) => void [...applyFrame(...frame)]

const START_SEC = 1_800_000_000

/** A track that was at a longitude so many seconds after the start. */
const shown = (longitude: number, sec: number, more: Partial<FrameTrack> = {}): FrameTrack => ({
  id: 'a',
  state: 'running',
  timeMs: (START_SEC + sec) * 1000,
  latitude: 0,
  longitude,
  heading: null,
  speedMps: null,
  rank: null,
  details: 1,
  battery: null,
  ...more,
})

/** A frame of so many seconds after the start. */
const frame = (sec: number, changed: FrameTrack[], isWhole = false): Frame => ({
  number: START_SEC / 2 + sec / 2,
  asOfMs: (START_SEC + sec) * 1000,
  delaySec: 0,
  leftOut: 0,
  isWhole,
  changed,
})

/** Longitude of a track at a time, as a player shows it. */
function longitudeAt(live: LiveTracks, sec: number, id = 'a'): number {
  const { line } = live.byId.get(id)!
  return longitudeOf(valueAt(line.x, placeAt(line, START_SEC + sec)))
}
const assertNear = (actual: number, expected: number) => assert.ok(Math.abs(actual - expected) < 1e-9, `${actual}`)

test('tracks outside of the tiles that are read stay, and are as silent as they were', () => {
  const live = createLiveTracks()
  apply(live, frame(0, [shown(6.5, 0), shown(7.5, 0, { id: 'b' })], true), 2)
  const summaryOf = (id: string) => ({ id, title: id, name: id, state: 'running', stats: null, points_count: 1 })
  for (const id of ['a', 'b']) applySummary(live, summaryOf(id) as unknown as SharedTrack)
  const tiles = [{ zoom: 11, x: Math.floor(18_650_000 / 16_384), y: Math.floor(9_000_000 / 16_384) }] as const

  apply(live, { ...frame(100, [], true), tiles }, 2)
  refreshStatuses(live, (START_SEC + 100) * 1000, 60)

  assert.deepEqual(
    [...live.byId.values()].map(({ status }) => status),
    ['silent', 'running'],
  )
})

describe('the first view of a live map', () => {
  const way = [
    [6, 0],
    [6.1, 0.02],
  ] as const
  const beside = shown(6.05, 0, { id: 'beside', latitude: 0.03 })

  test('is the course with those on it, whatever the phones of others still record', () => {
    const live = createLiveTracks()
    const home = shown(6.5, 0, { id: 'home', state: 'stopped' })
    const elsewhere = shown(9, 0, { id: 'elsewhere' })
    apply(live, frame(0, [shown(6, 0), beside, home, elsewhere], true), 2)

    const seen = firstViewOf(live, way).map(([longitude]) => longitude)

    assert.deepEqual(seen, [6, 6.05, 6, 6.1])
  })

  test('is everyone where nobody is at the course, or there is none', () => {
    const live = createLiveTracks()
    apply(live, frame(0, [shown(9, 0), shown(9.5, 0, { id: 'b', state: 'stopped' })], true), 2)

    for (const course of [way, []])
      assert.deepEqual(
        firstViewOf(live, course).map(([at]) => at),
        [9, 9.5],
      )
  })
})

describe('frames on a live map', () => {
  test('move a runner evenly from one position to the next, and leave one who rests where they are', () => {
    const live = createLiveTracks()
    apply(live, frame(0, [shown(6, 0), shown(9, 0, { id: 'b' })], true), 2)
    apply(live, frame(2, []), 2)
    apply(live, frame(4, [shown(7, 4)]), 2)

    for (const [sec, longitude] of [
      [0, 6],
      [2, 6],
      [3, 6.5],
      [4, 7],
      [9, 7],
    ])
      assertNear(longitudeAt(live, sec), longitude)
    assertNear(longitudeAt(live, 9, 'b'), 9)
    assert.deepEqual(headOf(live.byId.get('a')!), [7, 0])
    assert.equal(live.movedUntilSec, START_SEC + 4)
  })

  test('show no way where none is known: after frames were missed, and after a silence of a phone', () => {
    for (const isMissed of [true, false]) {
      const live = createLiveTracks()
      apply(live, frame(0, [shown(6, 0)], true), 2)
      apply(live, frame(300, [shown(7, 300)], isMissed), 2)

      assertNear(longitudeAt(live, 299), 6)
      assertNear(longitudeAt(live, 300), 7)
      assert.deepEqual([...live.byId.get('a')!.line.gaps], [1])
    }
  })

  test('remove what a whole frame does not have, and nothing otherwise', () => {
    const live = createLiveTracks()
    apply(live, frame(0, [shown(6, 0), shown(9, 0, { id: 'b' })], true), 2)

    apply(live, frame(2, [shown(6.1, 2)]), 2)
    assert.deepEqual([...live.byId.keys()], ['a', 'b'])
    apply(live, frame(4, [shown(9, 0, { id: 'b' })], true), 2)

    assert.deepEqual([...live.byId.keys()], ['b'])
  })

  test('continue across the antimeridian, also a line of the past', () => {
    const live = createLiveTracks()
    apply(live, frame(10, [shown(-179.5, 10)], true), 2)
    apply(live, frame(12, [shown(-179, 12)]), 2)

    const timeMs = [0, 8].map((sec) => (START_SEC + sec) * 1000)
    applyPastLine(live, 'a', { timeMs, longitude: [179, 179.5], latitude: [0, 0] })

    for (const [sec, longitude] of [
      [0, 179],
      [9, 180],
      [10, 180.5],
      [12, 181],
    ])
      assertNear(longitudeAt(live, sec), longitude)
  })

  test('keep the newest of a long way, and some of all the rest', () => {
    const live = createLiveTracks()
    for (let i = 0; i <= 5000; i++) apply(live, frame(i * 2, [shown(i / 1000, i * 2)], i === 0), 2)

    const { line } = live.byId.get('a')!
    assert.ok(line.timeSec.length <= 2000, `${line.timeSec.length} positions`)
    assertNear(longitudeAt(live, 10_000), 5)
    assertNear(longitudeAt(live, 0), 0)
    assertNear(longitudeAt(live, 5001), 2.5005)
  })

  test('take a line of the past once, up to the first frame', () => {
    const live = createLiveTracks()
    apply(live, frame(100, [shown(6, 100)], true), 2)
    const past = (longitudes: number[]) => ({
      timeMs: longitudes.map((_, i) => (START_SEC + i * 50) * 1000),
      longitude: longitudes,
      latitude: longitudes.map(() => 0),
      gaps: [1],
    })

    applyPastLine(live, 'a', past([1, 2, 3]))
    applyPastLine(live, 'a', past([4, 5, 9, 9]))

    const { line } = live.byId.get('a')!
    assert.deepEqual(
      line.timeSec,
      [0, 50, 100].map((sec) => START_SEC + sec),
    )
    assert.deepEqual([...line.gaps], [1])
    assertNear(longitudeAt(live, 49), 4)
    assert.equal(live.fromSec, START_SEC)
  })

  test('say which tracks have to be read again', () => {
    const live = createLiveTracks()
    apply(live, frame(0, [shown(6, 0)], true), 2)
    const names = [[...live.outdated]]
    applySummary(live, { id: 'a', title: 'A' } as SharedTrack)
    names.push([...live.outdated])
    apply(live, frame(2, [shown(6.1, 2)]), 2)
    names.push([...live.outdated])
    apply(live, frame(4, [shown(6.1, 2, { details: 2 })]), 2)
    names.push([...live.outdated])

    assert.deepEqual(names, [['a'], [], [], ['a']])
  })
})

describe('the status of live tracks', () => {
  const NOW_MS = START_SEC * 1000
  const at = (minutesAgo: number) => new Date(NOW_MS - minutesAgo * 60_000).toISOString()
  const summary = { id: 'a', title: 'Anna', state: 'running', start_ts: at(90), updated_at: at(60) } as SharedTrack

  test('becomes silent as time passes, moves in the list, and ends with the next position', () => {
    const live = createLiveTracks()
    apply(live, frame(0, [shown(6, -240)], true), 2)
    applySummary(live, summary)
    assert.equal(refreshStatuses(live, NOW_MS, 300), false)

    const hasChanged = refreshStatuses(live, NOW_MS + 2 * 60_000, 300)
    assert.deepEqual([hasChanged, live.byId.get('a')!.status], [true, 'silent'])
    apply(live, frame(120, [shown(6, 119)]), 2)
    refreshStatuses(live, NOW_MS + 2 * 60_000, 300)

    assert.equal(live.byId.get('a')!.status, 'running')
  })

  test('goes by frames, whatever the list said before', () => {
    const live = createLiveTracks()
    applySummary(live, summary)
    apply(live, frame(0, [shown(6, 0, { state: 'stopped' })], true), 2)

    assert.equal(live.byId.get('a')!.track!.state, 'stopped')
    assert.equal(live.byId.get('a')!.status, 'stopped')
  })

  test('keeps the bib and name of the start list when news of the track come', () => {
    const live = createLiveTracks()
    apply(live, frame(0, [shown(6, 0)], true), 2)
    applySummary(live, summary)
    const racing = {
      state: 'running',
      status: null,
      gap_sec: null,
      net_sec: null,
      finish_sec: null,
      off_course_m: null,
    } as const
    applyRanking(live, [{ track_id: 'a', bib: '117', name: 'Anna Martin', category: 'F40', ...racing }], false)

    apply(live, frame(2, [shown(6, 2)]), 2)

    assert.deepEqual(namesOf(live.byId.get('a')!.track!), {
      name: 'Anna Martin',
      bib: '117',
      category: 'F40',
      owner: undefined,
      person: undefined,
    })
  })
})
