import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { applyPoints, headOf, type LiveTracks } from './live-tracks.ts'

const points = (timesMs: number[], hasGap = false) => ({
  track_id: 'a',
  has_gap: hasGap,
  time_ms: timesMs,
  latitude: timesMs.map(() => 0),
  longitude: timesMs.map((timeMs) => timeMs / 1000),
  altitude: timesMs.map(() => null),
  speed_mps: timesMs.map(() => 1),
})
const partsOf = (live: LiveTracks) => live.get('a')!.parts.map((part) => part.map(([longitude]) => longitude))

describe('a live track', () => {
  test('grows at its end', () => {
    const live: LiveTracks = new Map()

    applyPoints(live, points([1000, 2000]))
    applyPoints(live, points([3000]))

    assert.deepEqual(partsOf(live), [[1, 2, 3]])
    assert.deepEqual(headOf(live.get('a')!), [3, 0])
  })

  test('takes no position twice, as after a connection was made anew', () => {
    const live: LiveTracks = new Map()

    applyPoints(live, points([1000, 2000]))
    applyPoints(live, points([1000, 2000, 3000]))

    assert.deepEqual(partsOf(live), [[1, 2, 3]])
  })

  test('is broken where positions were left out', () => {
    const live: LiveTracks = new Map()

    applyPoints(live, points([1000, 2000]))
    applyPoints(live, points([8000, 9000], true))

    assert.deepEqual(partsOf(live), [
      [1, 2],
      [8, 9],
    ])
  })

  test('is nowhere before its first position', () => {
    const live: LiveTracks = new Map()

    applyPoints(live, points([]))

    assert.equal(headOf(live.get('a')!), undefined)
  })
})
