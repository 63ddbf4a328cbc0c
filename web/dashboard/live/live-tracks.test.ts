import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { applyDeletion, applyPoints, createLiveTracks, headOf, type LiveTracks } from './live-tracks.ts'

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
