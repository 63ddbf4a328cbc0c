import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AppError } from '#platform/errors.ts'
import { gpxOf, gpxTrack, makeFit, makeGpxRecording, walkEast } from '../../../test/support/make-recordings.ts'
import { rejection } from '../../../test/support/rejection.ts'
import { createImportReader } from './import-reader.ts'

const asTask = (file: string) => ({ bytes: new TextEncoder().encode(file), format: undefined })

describe('the reader of imported files', () => {
  test('ends a file that takes too much memory, and reads the next one', async (t) => {
    const reader = createImportReader({ heapMb: 32 })
    t.after(() => reader.close())
    const large = { bytes: new Uint8Array(makeFit([{ points: walkEast(200_000) }])), format: undefined }

    const error = await rejection(reader.read(large))

    assert.ok(error instanceof AppError, String(error))
    assert.deepEqual(
      [error.status, error.message],
      [422, 'The file takes more time or memory to read than any recording needs.'],
    )
    assert.equal((await reader.read(asTask(makeGpxRecording()))).tracks.length, 1)
  })

  test('ends a file that takes too much time, and reads those that waited', async (t) => {
    const reader = createImportReader({ timeMs: 3_000 })
    t.after(() => reader.close())
    const slow = reader.read(asTask(gpxOf(gpxTrack(), '<a b="">1</a>'.repeat(4_500_000))))
    const others = Array.from({ length: 3 }, () => reader.read(asTask(makeGpxRecording())))

    const error = await rejection(slow)

    assert.ok(error instanceof AppError, String(error))
    assert.equal(error.status, 422)
    for (const { tracks } of await Promise.all(others)) assert.equal(tracks[0].pointsCount, 3)
  })

  test('refuses files beyond those that may wait, for a moment', async (t) => {
    const reader = createImportReader()
    t.after(() => reader.close())

    const outcomes = await Promise.allSettled(Array.from({ length: 60 }, () => reader.read(asTask(makeGpxRecording()))))

    const refused = outcomes.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[]
    assert.ok(refused.length > 0 && refused.length < 60, String(refused.length))
    for (const { reason } of refused)
      assert.deepEqual([reason.status, reason.options.headers], [503, { 'retry-after': '5' }])
  })
})
