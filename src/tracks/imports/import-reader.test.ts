import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { AppError } from '#platform/basics/errors.ts'
import { gpxOf, gpxTrack, makeFit, makeGpxRecording, walkEast } from '../../../test/support/make-recordings.ts'
import { rejection } from '../../../test/support/rejection.ts'
import { createImportReader } from './import-reader.ts'

const STAYS = new AbortController().signal
const of = (person: string, eventId = 'event') => ({ eventId, person })

const asTask = (file: string) => ({ bytes: new TextEncoder().encode(file), format: undefined })

describe('the reader of imported files', () => {
  test('ends a file that takes too much memory, and reads the next one', async (t) => {
    const reader = createImportReader({ heapMb: 32 })
    t.after(() => reader.close())
    const large = { bytes: new Uint8Array(makeFit([{ points: walkEast(200_000) }])), format: undefined }

    const error = await rejection(reader.read(large, of('a'), STAYS))

    assert.ok(error instanceof AppError, String(error))
    assert.deepEqual(
      [error.status, error.message],
      [422, 'The file takes more time or memory to read than any recording needs.'],
    )
    assert.equal((await reader.read(asTask(makeGpxRecording()), of('a'), STAYS)).tracks.length, 1)
  })

  test('ends a file that takes too much time, and reads those that waited', async (t) => {
    const reader = createImportReader({ timeMs: 3_000 })
    t.after(() => reader.close())
    const slow = reader.read(asTask(gpxOf(gpxTrack(), '<a b="">1</a>'.repeat(4_500_000))), of('a'), STAYS)
    const others = ['a', 'b', 'c'].map((each) => reader.read(asTask(makeGpxRecording()), of(each), STAYS))

    const error = await rejection(slow)

    assert.ok(error instanceof AppError, String(error))
    assert.equal(error.status, 422)
    for (const { tracks } of await Promise.all(others)) assert.equal(tracks[0].pointsCount, 3)
  })

  test('refuses files beyond those that may wait, for a moment', async (t) => {
    const reader = createImportReader()
    t.after(() => reader.close())

    const outcomes = await Promise.allSettled(
      Array.from({ length: 60 }, (_, i) => reader.read(asTask(makeGpxRecording()), of(`${i}`, `${i % 10}`), STAYS)),
    )

    const refused = outcomes.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[]
    assert.ok(refused.length > 0 && refused.length < 60, String(refused.length))
    for (const { reason } of refused) assert.deepEqual([reason.status, reason.headers], [503, { 'retry-after': '5' }])
  })

  test('refuses a second file of a person that would wait, and those that wait too long', async (t) => {
    const reader = createImportReader({ timeMs: 2_000, waitMs: 100 })
    t.after(() => reader.close())
    const slow = rejection(reader.read(asTask(gpxOf(gpxTrack(), '<a b="">1</a>'.repeat(4_500_000))), of('a'), STAYS))
    const late = rejection(reader.read(asTask(makeGpxRecording()), of('a'), STAYS))

    const second = await rejection(reader.read(asTask(makeGpxRecording()), of('a'), STAYS))

    assert.match(String(second), /Another file of yours waits/)
    assert.match(String(await late), /Too many files/)
    await slow
  })

  test('refuses a gzip file that becomes very much larger', async (t) => {
    const reader = createImportReader()
    t.after(() => reader.close())
    const dense = { bytes: new Uint8Array(gzipSync(Buffer.alloc(20 * 1_048_576, ' '))), format: undefined }

    const error = await rejection(reader.read(dense, of('a'), STAYS))

    assert.match(String(error), /more than 40 times as large/)
  })
})
