import { randomUUID } from 'node:crypto'
import { link, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { onStore, translateBlobFailure } from './blob-failure.ts'
import { type BlobDraft, BlobExistsError } from './blob-store.ts'
import { type FolderTree, syncFolder } from './folder-tree.ts'
import { readSource } from './source-bytes.ts'

type Place = { drafts: string; tree: FolderTree; pathOf(key: string): string }

/** Maximum attempts: a delete can remove a folder just before it is used, but not this often by chance. */
const COMMIT_ATTEMPTS = 10

/** Writes a stream to a new file among the drafts and syncs it. */
export async function writeFileDraft(source: AsyncIterable<Uint8Array>, place: Place): Promise<BlobDraft> {
  const path = join(place.drafts, randomUUID())
  const input = readSource(source)
  try {
    const file = await open(path, 'wx', 0o600)
    try {
      await file.writeFile(input.bytes)
      await file.sync()
    } finally {
      await file.close()
    }
  } catch (error) {
    await rm(path, { force: true }).catch(() => {})
    throw input.failureOr(error, translateBlobFailure)
  }
  return fileDraft(path, input.size(), place)
}

function fileDraft(path: string, size: number, { tree, pathOf }: Place): BlobDraft {
  let isThere = true

  async function discard(): Promise<void> {
    if (isThere) await onStore(() => rm(path, { force: true }))
    isThere = false
  }

  return {
    size,
    async commit(key) {
      const target = pathOf(key)
      await onStore(() => linkDurably(path, target, key, tree))
      isThere = false
      // The blob exists. A second name among the drafts does no harm until the sweep.
      await rm(path, { force: true }).catch(() => {})
    },
    async replace(key) {
      const target = pathOf(key)
      await onStore(async () => {
        await tree.make(dirname(target))
        await rename(path, target)
        isThere = false
        await syncFolder(dirname(target))
      })
    },
    discard,
    [Symbol.asyncDispose]: discard,
  }
}

async function linkDurably(path: string, target: string, key: string, tree: FolderTree): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    await tree.make(dirname(target))
    try {
      await link(path, target)
      break
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EEXIST') throw new BlobExistsError(key)
      if (code !== 'ENOENT' || attempt === COMMIT_ATTEMPTS) throw error
    }
  }
  try {
    await syncFolder(dirname(target))
  } catch (error) {
    // The commit failed, so the blob must not exist.
    await rm(target, { force: true }).catch(() => {})
    throw error
  }
}
