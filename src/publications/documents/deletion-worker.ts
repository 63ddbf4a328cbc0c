import type { Logger } from '#platform/basics/logger.ts'
import type { BlobStore } from '#platform/blobs/blob-store.ts'
import { READ_AFTER_REPLACING_MS, textKey } from '../model/files-store.ts'
import { imagesFolder } from '../model/image-forms.ts'
import type { WorkspacesStore } from '../model/workspaces-store.ts'
import type { RemovableVersion, RemovalStore } from './removal-store.ts'

/** Removes deleted publications and workspaces in the background: rows can be many, and blobs are one call each. */
export type DeletionWorker = ReturnType<typeof createDeletionWorker>

type Deps = {
  removal: RemovalStore
  workspaces: WorkspacesStore
  blobs: BlobStore
  /** Former versions of a publication that are kept. */
  versionsKept: number
  logger: Logger
  now: () => number
}

/**
 * By this time after a deletion, pages that were being rendered are stored or never will be: a page takes at most 20
 * seconds, and no further page is begun. The rows stay until then, so that no file is left behind.
 */
export const RENDERED_WITHIN_MS = 120_000

/** A bucket takes some tens of milliseconds per deletion, and takes many at once. */
const CONCURRENT_DELETIONS = 16

export function createDeletionWorker(deps: Deps) {
  const { removal, workspaces, blobs, versionsKept, logger, now } = deps
  let isClosed = false
  /** The removal in progress; the next begins when it is done. */
  let last = Promise.resolve()
  let isWoken = false
  /** Publications whose files are deleted, and whose rows are still to be removed. */
  const emptied = new Set<string>()
  let wakeTimer: NodeJS.Timeout | undefined

  function wake(): void {
    if (isWoken) return
    isWoken = true
    void enqueue(async () => {
      isWoken = false
      await removeDeleted()
    })
  }

  function enqueue(work: () => Promise<void>): Promise<void> {
    last = last.then(async () => {
      if (!isClosed) await attempt(logger, 'removing deleted publications', work)
    })
    return last
  }

  async function removeDeleted(): Promise<void> {
    const ended = await workspaces.ended()
    for (const id of ended) await removal.deletePublicationsOf(id, now())
    await removeDeletedPublications()
    await removeDiscarded()
    for (const id of ended)
      await attempt(logger, 'removing a workspace', async () => {
        if (!isClosed) await removeWorkspace(deps, id)
      })
  }

  async function removeDiscarded(): Promise<void> {
    for (const version of await removal.discardedVersions(now() - RENDERED_WITHIN_MS)) {
      if (isClosed) return
      await attempt(logger, 'removing a former version', () => removeVersion(deps, version))
    }
  }

  async function removeDeletedPublications(): Promise<void> {
    let afterId = ''
    for (;;) {
      const found = await removal.deletedPublications(afterId)
      if (found.length === 0) return
      for (const { id, deletedAtMs } of found) {
        if (isClosed) return
        const isDue = deletedAtMs + RENDERED_WITHIN_MS <= now()
        await attempt(logger, 'removing a publication', () => (isDue ? remove(id) : empty(id)))
        afterId = id
      }
    }
  }

  /** Deletes the files of a publication at once; pages rendered meanwhile are deleted with the rows. */
  async function empty(id: string): Promise<void> {
    wakeTimer ??= setTimeout(() => {
      wakeTimer = undefined
      wake()
    }, RENDERED_WITHIN_MS).unref()
    if (emptied.has(id)) return
    for (const version of await removal.versionsOf(id)) await deleteFiles(blobs, version)
    emptied.add(id)
  }

  async function remove(id: string): Promise<void> {
    for (const version of await removal.versionsOf(id)) await removeVersion(deps, version)
    await removal.removePublication(id)
    emptied.delete(id)
  }

  return {
    /** Starts removing; called when something has been deleted. */
    wake,

    /**
     * Removes everything deleted, and files that were replaced long enough ago. Failures are retried by the next sweep.
     */
    sweep: () =>
      enqueue(async () => {
        await removeDeleted()
        await removal.discardReplaced(now() - READ_AFTER_REPLACING_MS, versionsKept, now())
        await removeDiscarded()
      }),

    /** Resolves when the current removal is done; the rest is left for the next start. */
    async close(): Promise<void> {
      isClosed = true
      clearTimeout(wakeTimer)
      await last
    },
  }
}

async function removeWorkspace({ removal, blobs }: Deps, id: string): Promise<void> {
  if (await removal.hasPublications(id)) return
  await deleteBlobs(blobs, await removal.uploadedBlobs(id))
  await removal.removeWorkspace(id)
}

async function removeVersion({ removal, blobs }: Deps, version: RemovableVersion): Promise<void> {
  await deleteFiles(blobs, version)
  await removal.removeVersion(version)
}

async function deleteFiles(blobs: BlobStore, { id, blobKey }: RemovableVersion): Promise<void> {
  await deleteBlobs(blobs, imageKeys(blobs, id))
  await deleteBlobs(blobs, [blobKey, textKey(id)])
}

async function* imageKeys(blobs: BlobStore, versionId: string): AsyncGenerator<string> {
  for await (const { key } of blobs.list(imagesFolder(versionId))) yield key
}

async function deleteBlobs(blobs: BlobStore, keys: AsyncIterable<string> | Iterable<string>): Promise<void> {
  let batch: string[] = []
  for await (const key of keys) {
    batch.push(key)
    if (batch.length < CONCURRENT_DELETIONS) continue
    await Promise.all(batch.map((each) => blobs.delete(each)))
    batch = []
  }
  await Promise.all(batch.map((each) => blobs.delete(each)))
}

/** Runs `work` and logs its failure: one failed removal does not block the others. */
async function attempt(logger: Logger, what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (err) {
    logger.warn({ err }, `${what} failed; it will be retried`)
  }
}
