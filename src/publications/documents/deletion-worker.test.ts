import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pino } from 'pino'
import type { BlobStore } from '#platform/blobs/blob-store.ts'
import type { WorkspacesStore } from '../model/workspaces-store.ts'
import { createDeletionWorker, RENDERED_WITHIN_MS } from './deletion-worker.ts'
import type { RemovalStore } from './removal-store.ts'

const VERSION = { id: 'version', blobKey: 'documents/file.pdf', storageKey: 'key' }
const IMAGE = 'images/version/1/1200.jpg'

describe('createDeletionWorker', () => {
  test('deletes files at once, and the rows with what was rendered meanwhile once nothing can be any more', async (t) => {
    const { worker, blobs, rows, at } = arrange()
    t.after(() => worker.close())

    await at(1)
    const left = { blobs: [...blobs], rows: [...rows] }
    blobs.add(IMAGE)
    await at(RENDERED_WITHIN_MS - 1)
    const waiting = [...rows]
    await at(RENDERED_WITHIN_MS)

    assert.deepEqual(left, { blobs: [], rows: ['version', 'publication'] })
    assert.deepEqual(waiting, ['version', 'publication'])
    assert.deepEqual([[...blobs], [...rows]], [[], []])
  })

  test('keeps the rows while a file cannot be deleted', async (t) => {
    const { worker, rows, at, fail } = arrange()
    t.after(() => worker.close())

    fail(new Error('The bucket is away'))
    await at(RENDERED_WITHIN_MS)
    const kept = [...rows]
    fail(undefined)
    await at(RENDERED_WITHIN_MS + 1)

    assert.deepEqual(kept, ['version', 'publication'])
    assert.deepEqual([...rows], [])
  })
})

/** A publication that was deleted at time 0, with its file and an image. */
function arrange() {
  const blobs = new Set([VERSION.blobKey, IMAGE])
  const rows = new Set(['version', 'publication'])
  let nowMs = 0
  let failure: Error | undefined
  const removal = {
    deletedPublications: async (afterId: string) =>
      rows.has('publication') && afterId === '' ? [{ id: 'publication', deletedAtMs: 0 }] : [],
    versionsOf: async () => (rows.has('version') ? [VERSION] : []),
    discardReplaced: async () => {},
    discardedVersions: async () => [],
    removeVersion: async ({ id }: { id: string }) => void rows.delete(id),
    removePublication: async (id: string) => void rows.delete(id),
  }
  const worker = createDeletionWorker({
    versionsKept: 0,
    removal: removal as unknown as RemovalStore,
    workspaces: { ended: async () => [] } as unknown as WorkspacesStore,
    blobs: {
      async *list(folder = '') {
        for (const key of blobs) if (key.startsWith(folder)) yield { key, size: 1, modifiedMs: 0 }
      },
      async delete(key: string) {
        if (failure !== undefined) throw failure
        blobs.delete(key)
      },
    } as unknown as BlobStore,
    logger: pino({ level: 'silent' }),
    now: () => nowMs,
  })
  return {
    worker,
    blobs,
    rows,
    fail: (error: Error | undefined) => (failure = error),
    async at(timeMs: number) {
      nowMs = timeMs
      await worker.sweep()
    },
  }
}
