import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { twoFrames } from '../../../test/support/make-frames.ts'
import { runProgram } from '../../../test/support/run-program.ts'
import { type FrameTrack, TrackColumns } from './frame.ts'
import { ReadTracks } from './track-rows.ts'

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

  test('take at most 200 bytes each, with those of the key frame', async () => {
    const { stdout, stderr } = await runProgram('test/support/bytes-a-track.ts', {})
    const bytes = Number(stdout)

    assert.ok(bytes > 50 && bytes <= 200, `${stdout} bytes ${stderr}`)
  })
})
