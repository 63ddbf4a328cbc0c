import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ApiError } from '../api/api-error.ts'
import { isUnderWay } from '../components/transfer-queue.ts'
import { ImportQueue, type importFile } from './import-queue.ts'

const settle = () => new Promise((resolve) => setImmediate(resolve))
const fileOf = (name: string) => new File(['content'], name)
const imported = { tracks: [], tracks_left_out: 0 }

/** A queue whose files stay under way until the test answers for them. */
function heldQueue() {
  const held = new Map<
    string,
    { done(): void; fail(error: unknown): void; signal: AbortSignal; sent(bytes: number): void }
  >()
  const send: typeof importFile = (_eventId, file, { signal, onSent }) =>
    new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
      held.set(file.name, { done: () => resolve(imported), fail: reject, signal, sent: onSent })
    })
  const queue = new ImportQueue(send)
  const phases = () => queue.list().map(({ file, phase }) => `${file.name} ${phase}`)
  return { queue, held, phases }
}

describe('the queue of imports', () => {
  test('sends two files at a time, in their order', async () => {
    const { queue, held, phases } = heldQueue()

    queue.add('e', ['a', 'b', 'c'].map(fileOf))
    held.get('a')!.sent(7)
    const before = phases()
    held.get('a')!.done()
    await settle()

    assert.deepEqual(before, ['a reading', 'b sending', 'c waiting'])
    assert.deepEqual(phases(), ['a done', 'b sending', 'c sending'])
  })

  test('names the track of a file that was imported before', async () => {
    const { queue, held } = heldQueue()
    queue.add('e', [fileOf('a')])

    held.get('a')!.fail(new ApiError({ status: 409, code: 'CONFLICT', detail: '', track_id: 't-1' }))
    await settle()

    const [{ phase, knownTrackId }] = queue.list()
    assert.deepEqual([phase, knownTrackId], ['known', 't-1'])
  })

  test('is under way while a file waits, is sent or is read, and not once it is over', async () => {
    const { queue, held } = heldQueue()
    queue.add('e', ['read', 'known', 'failed'].map(fileOf))
    held.get('read')!.sent(7)
    const underWay = () => queue.list().filter(isUnderWay).length
    const before = underWay()

    held.get('known')!.fail(new ApiError({ status: 409, code: 'CONFLICT', detail: '', track_id: 't-1' }))
    await settle()
    held.get('failed')!.fail(new ApiError(undefined))
    await settle()
    const reading = underWay()
    held.get('read')!.done()
    await settle()

    assert.deepEqual([before, reading, underWay()], [3, 1, 0])
  })

  test('keeps a file that failed, and sends it again on request', async () => {
    const { queue, held, phases } = heldQueue()
    queue.add('e', [fileOf('a')])
    held.get('a')!.fail(new ApiError(undefined))
    await settle()
    const failed = phases()

    queue.retry(queue.list()[0].id)
    held.get('a')!.done()
    await settle()

    assert.deepEqual([failed, phases()], [['a failed'], ['a done']])
  })

  test('cancels a file under way, and goes on with the next', async () => {
    const { queue, held, phases } = heldQueue()
    queue.add('e', ['a', 'b', 'c'].map(fileOf))

    queue.remove(queue.list()[0].id)
    await settle()

    assert.equal(held.get('a')!.signal.aborted, true)
    assert.deepEqual(phases(), ['b sending', 'c sending'])
  })
})
