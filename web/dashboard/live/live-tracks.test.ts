import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { SharedTrack } from '../../../src/tracks/api/operator-track-schemas.ts'
import {
  applyDeletion,
  applyPoints,
  applyRanking,
  applyTrack,
  createLiveTracks,
  decimateLine,
  headOf,
  type LiveTracks,
  refreshStatuses,
} from './live-tracks.ts'
import { namesOf } from './runners.ts'

const points = (timesMs: number[], hasGap = false) => ({
  track_id: 'a',
  has_gap: hasGap,
  time_ms: timesMs,
  latitude: timesMs.map(() => 0),
  longitude: timesMs.map((timeMs) => timeMs / 1000),
  altitude: timesMs.map(() => null),
  speed_mps: timesMs.map(() => 1),
})
const partsOf = (live: LiveTracks) => live.byId.get('a')!.parts.map((part) => part.map(([longitude]) => longitude))

describe('a live track', () => {
  test('grows at its end', () => {
    const live = createLiveTracks()

    applyPoints(live, points([1000, 2000]))
    applyPoints(live, points([3000]))

    assert.deepEqual(partsOf(live), [[1, 2, 3]])
    assert.deepEqual(headOf(live.byId.get('a')!), [3, 0])
  })

  test('takes no position twice, as after a reconnect', () => {
    const live = createLiveTracks()

    applyPoints(live, points([1000, 2000]))
    applyPoints(live, points([1000, 2000, 3000]))

    assert.deepEqual(partsOf(live), [[1, 2, 3]])
  })

  test('is split where positions are missing', () => {
    const live = createLiveTracks()

    applyPoints(live, points([1000, 2000]))
    applyPoints(live, points([8000, 9000], true))

    assert.deepEqual(partsOf(live), [
      [1, 2],
      [8, 9],
    ])
  })

  test('continues across the antimeridian', () => {
    const live = createLiveTracks()

    applyPoints(live, { ...points([1000, 2000]), longitude: [179.5, -179.5] })

    assert.deepEqual(partsOf(live), [[179.5, 180.5]])
  })

  test('does not grow without limit', () => {
    const live = createLiveTracks()

    for (let timeMs = 1; timeMs <= 5000; timeMs++) applyPoints(live, points([timeMs]))

    const { parts, positions } = live.byId.get('a')!
    assert.ok(positions <= 2000)
    assert.equal(parts[0].length, positions)
    assert.deepEqual(headOf(live.byId.get('a')!), [5, 0])
  })

  test('has to be redrawn after a change, and only then', () => {
    const live = createLiveTracks()
    applyPoints(live, points([1000]))
    live.changed.clear()

    applyPoints(live, points([1000]))
    assert.deepEqual([...live.changed], [])
    applyDeletion(live, 'a')

    assert.deepEqual([...live.changed], ['a'])
  })

  test('has no position before its first one', () => {
    const live = createLiveTracks()

    applyPoints(live, points([]))

    assert.equal(headOf(live.byId.get('a')!), undefined)
  })
})

describe('the status of live tracks', () => {
  const NOW_MS = Date.UTC(2026, 4, 3, 12)
  const at = (minutesAgo: number) => new Date(NOW_MS - minutesAgo * 60_000).toISOString()
  const trackAt = (minutesAgo: number, state: 'running' | 'stopped' = 'running') =>
    ({
      id: 'a',
      title: 'Anna',
      state,
      start_ts: at(90),
      updated_at: at(minutesAgo),
      last_point_at: at(minutesAgo),
    }) as SharedTrack

  test('becomes silent as time passes, moves in the list and is redrawn', () => {
    const live = createLiveTracks()
    applyTrack(live, trackAt(4))
    assert.equal(refreshStatuses(live, NOW_MS, 300), false)
    live.changed.clear()

    const hasChanged = refreshStatuses(live, NOW_MS + 2 * 60_000, 300)

    assert.deepEqual([hasChanged, live.byId.get('a')!.status, [...live.changed]], [true, 'silent', ['a']])
  })

  test('keeps the bib and name of the start list when news of the track come', () => {
    const live = createLiveTracks()
    applyTrack(live, trackAt(1))
    applyRanking(live, [{ track_id: 'a', bib: '117', name: 'Anna Martin', category: 'F40', state: 'running' }], false)

    applyTrack(live, trackAt(0))

    assert.deepEqual(namesOf(live.byId.get('a')!.track!), {
      name: 'Anna Martin',
      bib: '117',
      category: 'F40',
      owner: undefined,
      person: undefined,
    })
  })

  test('ends with the next point', () => {
    const live = createLiveTracks()
    applyTrack(live, trackAt(45))
    refreshStatuses(live, NOW_MS, 300)

    applyPoints(live, points([NOW_MS - 1000]))
    refreshStatuses(live, NOW_MS, 300)

    assert.equal(live.byId.get('a')!.status, 'running')
  })
})

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

describe('decimateLine', () => {
  test('keeps the ends of the line and its newest positions', () => {
    const [line] = decimateLine([numbers(100)], 30)

    assert.ok(line.length <= 30)
    assert.equal(line[0], 0)
    assert.deepEqual(line.slice(-8), [92, 93, 94, 95, 96, 97, 98, 99])
  })

  test('keeps the ends of each part until the oldest parts have to go', () => {
    assert.deepEqual(
      decimateLine(
        [
          [1, 2, 3],
          [4, 5],
        ],
        4,
      ),
      [
        [1, 3],
        [4, 5],
      ],
    )
    assert.deepEqual(
      decimateLine(
        [
          [1, 2],
          [3, 4],
          [5, 6],
        ],
        4,
      ),
      [
        [3, 4],
        [5, 6],
      ],
    )
  })

  test('leaves a short line unchanged', () => {
    assert.deepEqual(decimateLine([numbers(5)], 5), [numbers(5)])
  })
})
