import type { BlobStore } from '#platform/blobs/blob-store.ts'
import type { Logger } from '#platform/logger.ts'
import { imagesFolder } from '../domain/page-images.ts'
import type { RemovableVersion, RemovalStore } from '../storage/removal-store.ts'
import type { WorkspacesStore } from '../storage/workspaces-store.ts'

/** Removes in the background what has been deleted: rows can be many, and blobs are one call each. */
export type Remover = {
  /** To be called when something has been deleted. */
  wake(): void
  /** Removes all there is, also files that were replaced long enough ago. What fails stays for the next time. */
  sweep(): Promise<void>
  /** Resolves when what is under way is done, which is not everything. */
  close(): Promise<void>
}

type Deps = {
  removal: RemovalStore
  workspaces: Pick<WorkspacesStore, 'ended'>
  blobs: Pick<BlobStore, 'list' | 'delete'>
  logger: Logger
  now: () => number
}

/** How long the images and the file of a replaced version are kept once a later one is ready: signed addresses live an hour. */
export const KEPT_AFTER_REPLACING_MS = 24 * 3_600_000

/**
 * Whatever was being rendered of a publication when it was deleted is stored by then, or never will be: one page takes
 * 20 seconds at the most, and the next is not begun. The rows stay until then, so that no file of it is left.
 */
export const RENDERED_WITHIN_MS = 120_000

/** A bucket takes some tens of milliseconds for each, and takes many at once. */
const BLOBS_AT_ONCE = 16

export function createRemover({ removal, workspaces, blobs, logger, now }: Deps): Remover {
  let isClosed = false
  /** What is under way; the next begins when it is done. */
  let last = Promise.resolve()
  let isWoken = false
  /** Publications whose files are deleted, and whose rows are still to go. */
  const emptied = new Set<string>()
  let comeAgain: NodeJS.Timeout | undefined

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
      if (!isClosed) await attempt('removing what was deleted', work)
    })
    return last
  }

  /** One thing that cannot be removed keeps nothing else. */
  async function attempt(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (err) {
      logger.warn({ err }, `${what} failed and will be tried again`)
    }
  }

  async function removeDeleted(): Promise<void> {
    const ended = await workspaces.ended()
    for (const id of ended) await removal.deletePublicationsOf(id, now())
    await removeDeletedPublications()
    for (const id of ended) await attempt('removing a workspace', () => removeWorkspace(id))
  }

  async function removeDeletedPublications(): Promise<void> {
    let afterId = ''
    for (;;) {
      const found = await removal.deletedPublications(afterId)
      if (found.length === 0) return
      for (const { id, deletedAtMs } of found) {
        if (isClosed) return
        const isDue = deletedAtMs + RENDERED_WITHIN_MS <= now()
        await attempt('removing a publication', () => (isDue ? remove(id) : empty(id)))
        afterId = id
      }
    }
  }

  /** Its files go at once; what is being rendered meanwhile goes with the rows. */
  async function empty(id: string): Promise<void> {
    comeAgain ??= setTimeout(() => {
      comeAgain = undefined
      wake()
    }, RENDERED_WITHIN_MS).unref()
    if (emptied.has(id)) return
    for (const version of await removal.versionsOf(id)) await deleteFiles(version)
    emptied.add(id)
  }

  async function remove(id: string): Promise<void> {
    for (const version of await removal.versionsOf(id)) {
      await deleteFiles(version)
      await removal.removeVersion(version)
    }
    await removal.removePublication(id)
    emptied.delete(id)
  }

  async function deleteFiles({ id, blobKey }: RemovableVersion): Promise<void> {
    await deleteBlobs(imageKeys(id))
    await deleteBlobs([blobKey])
  }

  async function removeWorkspace(id: string): Promise<void> {
    if (isClosed || (await removal.hasPublications(id))) return
    await deleteBlobs(await removal.uploadedBlobs(id))
    await removal.removeWorkspace(id)
  }

  async function* imageKeys(versionId: string): AsyncGenerator<string> {
    for await (const { key } of blobs.list(imagesFolder(versionId))) yield key
  }

  async function deleteBlobs(keys: AsyncIterable<string> | Iterable<string>): Promise<void> {
    let batch: string[] = []
    for await (const key of keys) {
      batch.push(key)
      if (batch.length < BLOBS_AT_ONCE) continue
      await Promise.all(batch.map((each) => blobs.delete(each)))
      batch = []
    }
    await Promise.all(batch.map((each) => blobs.delete(each)))
  }

  return {
    wake,

    sweep: () =>
      enqueue(async () => {
        await removeDeleted()
        for (const version of await removal.replacedVersions(now() - KEPT_AFTER_REPLACING_MS)) {
          if (isClosed) return
          await attempt('removing a replaced file', async () => {
            await deleteFiles(version)
            await removal.removeVersion(version)
          })
        }
      }),

    async close() {
      isClosed = true
      clearTimeout(comeAgain)
      await last
    },
  }
}
