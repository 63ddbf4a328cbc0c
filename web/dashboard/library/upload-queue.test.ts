import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as settle } from 'node:timers/promises'
import { ApiError } from '../api/api-error.ts'
import type { FileComparison, LibraryEntry } from '../generated/types.gen.ts'
import type { RejectedFile } from './upload-errors.ts'
import {
  inOrderOfConcern,
  type Transfer,
  type Upload,
  type UploadPhase,
  UploadQueue,
  uploadTotals,
} from './upload-queue.ts'

const pdf = (name: string) => new File(['%PDF-1.7'], name, { type: 'application/pdf' })
const entry = { id: 'p1' } as LibraryEntry

function createQueue() {
  const sent: { transfer: Transfer; signal: AbortSignal; done: PromiseWithResolvers<LibraryEntry | FileComparison> }[] =
    []
  const queue = new UploadQueue((transfer, { signal, onUploaded }) => {
    const done = Promise.withResolvers<LibraryEntry | FileComparison>()
    signal.addEventListener('abort', () => done.reject(signal.reason))
    sent.push({ transfer, signal, done })
    if (transfer.file.name === 'uploaded.pdf') onUploaded({ storageKey: 'k', pdfPath: 'w/k.pdf' })
    return done.promise
  })
  const add = (name: string) => queue.add('w', pdf(name), { fileName: name, isDraft: false }, 1_000)
  const phases = () => queue.list().map(({ phase }) => phase)
  return { queue, sent, add, phases }
}

describe('the upload queue', () => {
  test('asks before a file replaces another, and replaces it once that is confirmed', async () => {
    const { queue, sent, phases } = createQueue()
    const comparison = { latest: {}, upload: {} } as FileComparison
    queue.add('w', pdf('uploaded.pdf'), { replacedId: 'p1' }, 1_000)
    sent[0].done.resolve(comparison)
    await settle()
    assert.deepEqual([phases(), queue.list()[0].comparison], [['asking'], comparison])

    queue.confirm(queue.list()[0].id)

    assert.deepEqual(sent[1].transfer.purpose, { replacedId: 'p1', isConfirmed: true })
    assert.deepEqual(sent[1].transfer.uploaded, { storageKey: 'k', pdfPath: 'w/k.pdf' })
    sent[1].done.resolve(entry)
    await settle()
    assert.deepEqual(phases(), ['done'])
  })

  test('sends two files at a time, in order', async () => {
    const { sent, add, phases } = createQueue()

    for (const name of ['a.pdf', 'b.pdf', 'c.pdf']) add(name)
    assert.deepEqual(phases(), ['sending', 'sending', 'waiting'])
    sent[0].done.resolve(entry)
    await settle()

    assert.deepEqual(phases(), ['done', 'sending', 'sending'])
    assert.equal(sent[2].transfer.file.name, 'c.pdf')
  })

  test('cancels a removed file and continues with the next', async () => {
    const { queue, sent, add, phases } = createQueue()
    for (const name of ['a.pdf', 'b.pdf', 'c.pdf']) add(name)

    queue.remove(queue.list()[0].id)
    await settle()

    assert.equal(sent[0].signal.aborted, true)
    assert.deepEqual(phases(), ['sending', 'sending'])
  })

  test('retries a failed file without uploading it twice', async () => {
    const { queue, sent, add, phases } = createQueue()
    add('uploaded.pdf')
    sent[0].done.reject(new ApiError(undefined))
    await settle()
    assert.deepEqual(phases(), ['failed'])

    queue.retry(queue.list()[0].id)

    assert.deepEqual(sent[1].transfer.uploaded, { storageKey: 'k', pdfPath: 'w/k.pdf' })
    assert.deepEqual(phases(), ['opening'])
  })

  test('sends anew what got no answer, and not what was refused', async () => {
    const { queue, sent, add, phases } = createQueue()
    for (const name of ['a.pdf', 'b.pdf', 'c.pdf']) add(name)
    sent[0].done.reject(new ApiError({ status: 422, code: 'UNPROCESSABLE', detail: 'Refused' }))
    sent[1].done.reject(new ApiError(undefined))
    await settle()
    sent[2].done.resolve(entry)
    await settle()

    queue.retryUnanswered()

    assert.deepEqual(phases(), ['failed', 'sending', 'done'])
  })

  test('uploads a file anew that the server no longer has', async () => {
    const { queue, sent, add } = createQueue()
    add('uploaded.pdf')
    sent[0].done.reject(new ApiError({ status: 404, code: 'NOT_FOUND', detail: '' }))
    await settle()

    queue.retry(queue.list()[0].id)

    assert.equal(sent[1].transfer.uploaded, undefined)
  })

  test('tells everybody of a publication, and keeps going, if one of those who hear of it fails', async (t) => {
    const { queue, sent, add, phases } = createQueue()
    const reported: unknown[] = []
    const heard: unknown[] = []
    // As browsers have it.
    Object.assign(globalThis, { reportError: (error: Error) => reported.push(error.message) })
    t.after(() => Reflect.deleteProperty(globalThis, 'reportError'))
    queue.onDone(() => {
      throw new Error('the page is gone')
    })
    queue.onDone(({ publication }) => heard.push(publication))
    for (const name of ['a.pdf', 'b.pdf', 'c.pdf']) add(name)

    sent[0].done.resolve(entry)
    await settle()

    assert.deepEqual(phases(), ['done', 'sending', 'sending'])
    assert.deepEqual(heard, [entry])
    assert.deepEqual(reported, ['the page is gone'])
  })

  test('can still cancel a file that whoever hears of its failure retries at once', async () => {
    const { queue, sent, add, phases } = createQueue()
    queue.subscribe(() => {
      const failed = queue.list().find(({ phase }) => phase === 'failed')
      if (failed !== undefined && sent.length < 2) queue.retry(failed.id)
    })
    add('a.pdf')

    sent[0].done.reject(new ApiError(undefined))
    await settle()
    const retried = phases()
    queue.clear()

    assert.deepEqual(retried, ['sending'])
    assert.equal(sent[1].signal.aborted, true)
  })

  test('does not send files that would be refused', () => {
    const { queue, sent, phases } = createQueue()

    queue.add(
      'w',
      new File(['text'], 'notes.txt', { type: 'text/plain' }),
      { fileName: 'notes', isDraft: false },
      1_000,
    )
    queue.add('w', new File(['%PDF-1.7'], 'large.pdf'), { fileName: 'large', isDraft: false }, 4)

    assert.deepEqual(phases(), ['failed', 'failed'])
    assert.deepEqual(
      queue.list().map(({ error }) => (error as RejectedFile).why),
      ['unknownType', 'tooLarge'],
    )
    assert.equal(sent.length, 0)
  })

  test('cancels and removes everything at the end of a session', () => {
    const { queue, sent, add } = createQueue()
    for (const name of ['a.pdf', 'b.pdf', 'c.pdf']) add(name)

    queue.clear()

    assert.deepEqual(queue.list(), [])
    assert.ok(sent.every(({ signal }) => signal.aborted))
  })
})

const upload = (phase: UploadPhase, size: number, sentBytes = 0) =>
  ({ phase, sentBytes, file: { size } as File }) as Upload

describe('inOrderOfConcern', () => {
  test('begins with what is running, then with what was refused', () => {
    const uploads = [upload('done', 1), upload('waiting', 4), upload('failed', 2), upload('sending', 3)]

    assert.deepEqual(
      inOrderOfConcern(uploads).map(({ phase }) => phase),
      ['sending', 'failed', 'waiting', 'done'],
    )
  })
})

describe('uploadTotals', () => {
  test('counts progress in bytes', () => {
    const uploads = [upload('done', 600, 600), upload('sending', 300, 90), upload('waiting', 100)]

    assert.deepEqual(uploadTotals(uploads), { all: 3, underWay: 2, done: 1, drafts: 0, failed: 0, percent: 69 })
  })

  test('reaches 100 percent also if files fail, and never exceeds it', () => {
    const failed = uploadTotals([upload('failed', 300), upload('done', 100, 100)])
    const withFraming = uploadTotals([upload('sending', 100, 130)])

    assert.deepEqual(failed, { all: 2, underWay: 0, done: 1, drafts: 0, failed: 1, percent: 100 })
    assert.equal(withFraming.percent, 100)
    assert.equal(uploadTotals([]).percent, 100)
  })
})
