import type { BlobStore } from '#platform/blobs/blob-store.ts'
import type { Logger } from '#platform/logger.ts'
import { imagesFolder } from './domain/page-images.ts'
import type { RemovableVersion, RemovalStore } from './storage/removal-store.ts'
import type { WorkspacesStore } from './storage/workspaces-store.ts'

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

/** A bucket takes some tens of milliseconds for each, and takes many at once. */
const BLOBS_AT_ONCE = 16

export function createRemover({ removal, workspaces, blobs, logger, now }: Deps): Remover {
  let isClosed = false
  /** What is under way; the next begins when it is done. */
  let last = Promise.resolve()
  let isWoken = false

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
    const tried: string[] = []
    for (;;) {
      const ids = await removal.deletedPublications(tried)
      if (ids.length === 0) return
      for (const id of ids) {
        if (isClosed) return
        await attempt('removing a publication', () => removePublication(id))
        tried.push(id)
      }
    }
  }

  async function removePublication(id: string): Promise<void> {
    for (const version of await removal.versionsOf(id)) await removeVersion(version)
    await removal.removePublication(id)
  }

  /** A page that was being rendered meanwhile is found out by its renderer, which finds no version for it any more. */
  async function removeVersion(version: RemovableVersion): Promise<void> {
    await deleteBlobs(imageKeys(version.id))
    await deleteBlobs([version.blobKey])
    await removal.removeVersion(version)
  }

  async function removeWorkspace(id: string): Promise<void> {
    if (isClosed) return
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
    wake() {
      if (isWoken) return
      isWoken = true
      void enqueue(async () => {
        isWoken = false
        await removeDeleted()
      })
    },

    sweep: () =>
      enqueue(async () => {
        await removeDeleted()
        for (const version of await removal.replacedVersions(now() - KEPT_AFTER_REPLACING_MS)) {
          if (isClosed) return
          await attempt('removing a replaced file', () => removeVersion(version))
        }
      }),

    async close() {
      isClosed = true
      await last
    },
  }
}
