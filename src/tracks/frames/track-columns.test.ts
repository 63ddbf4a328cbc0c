import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { twoFrames } from '../../../test/support/make-frames.ts'
import type { FrameTrack } from './frame.ts'
import { ReadTracks } from './read-tracks.ts'
import { TrackColumns } from './track-columns.ts'

const tracksOf = (columns: TrackColumns) => Array.from({ length: columns.length }, (_, place) => columns.at(place))

describe('the tracks of a series', () => {
  test('are what was put there, and a copy stays as it was', () => {
    fc.assert(
      fc.property(twoFrames, ({ whole, next }) => {
        const columns = TrackColumns.empty()
        for (const { place, track } of whole.entries) columns.set(place, track)
        const before = columns.copy()

        for (const { place, track } of next.entries) columns.set(place, track)

        const expected: FrameTrack[] = whole.entries.map(({ track }) => track)
        assert.deepEqual(tracksOf(before), expected)
        for (const { place, track } of next.entries) expected[place] = track
        assert.deepEqual(tracksOf(columns), expected)
        assert.equal(columns.at(columns.length), undefined)
      }),
    )
  })

  test('are known by their ids, with what is held back of some', () => {
    const read = new ReadTracks()
    const held = { id: '7' } as NonNullable<ReturnType<ReadTracks['find']>>['held']
    const one = { place: 3, updatedAt: 1_800_000_000_001, endMs: 1_800_000_000_000, held: undefined }
    const other = { place: undefined, updatedAt: 2, endMs: undefined, held }
    for (let i = 0; i < 1000; i++) read.set(String(i), i === 7 ? other : one)

    assert.deepEqual([read.size, read.find('6'), read.find('7'), read.find('no')], [1000, one, other, undefined])
    assert.deepEqual(read.held(), [held])
    read.set('7', one)
    assert.deepEqual([read.size, read.find('7'), read.held()], [1000, one, []])
  })

  test('take at most 200 bytes each, with those of the key frame', () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    // Other tests of the process leave and take memory, too, so the least of a few is nearest to the truth.
    const each = Math.min(...Array.from({ length: 5 }, () => bytesOfOne(collect)))

    assert.ok(each > 50 && each <= 200, `${each} bytes`)
  })
})

function bytesOfOne(collect: () => void): number {
  const COUNT = 50_000
  const bytes = () => {
    collect()
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    return heapUsed + arrayBuffers
  }
  const before = bytes()
  let tracks = TrackColumns.empty()
  const read = new ReadTracks()
  for (let i = 0; i < COUNT; i++) {
    // A text of its own, as those of a database.
    const id = Buffer.from(`${String(i).padStart(8, '0')}-0000-4000-8000-000000000000`).toString('latin1')
    const position = { timeSec: 1_800_000_000 + i, latitude: 4_600_000 + i, longitude: 700_000 + i, heading: 1 }
    tracks.set(i, { id, state: 'running', position, speed: 61, rank: i, details: i % 65_536, battery: 80 })
    read.set(id, { place: i, updatedAt: 1_800_000_000_000 + i, endMs: 1_800_000_000_000 + i, held: undefined })
  }
  // As after a key frame.
  const key = tracks.copy()
  tracks = key.copy()
  const used = bytes() - before
  assert.deepEqual([tracks.length, key.length, read.size], [COUNT, COUNT, COUNT])
  return used / COUNT
}
