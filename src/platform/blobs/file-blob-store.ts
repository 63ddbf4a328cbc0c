import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import {
  access,
  type FileHandle,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  realpath,
  rename,
  rm,
  unlink,
} from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { Readable } from 'node:stream'
import { onStore, translateBlobFailure } from './blob-failure.ts'
import {
  assertBlobFolder,
  assertBlobKey,
  type BlobDraft,
  BlobExistsError,
  type BlobRange,
  type BlobStore,
  readSource,
} from './blob-store.ts'
import { createFilePartials } from './file-partials.ts'
import { FolderTree, ifMissing, syncFolder } from './folder-tree.ts'

/** Keys never begin with a dot, so nothing in this folder is a blob. */
const DRAFTS = '.drafts'
/** Size of reads. Smaller files are read at once; chunks of 64 KiB would take four times the calls for large ones. */
const READ_CHUNK_BYTES = 262_144

/**
 * Opens a store that keeps blobs as files in a folder; a key is the path of its file. A draft is written and
 * synced in a folder of its own, then linked to its key: unlike a rename, a link does not replace. Symbolic
 * links below the folder are not followed. A crash leaves at most a file among the drafts. Rejects with
 * UNAVAILABLE if the folder cannot be used.
 */
export async function openFileBlobStore(folder: string): Promise<BlobStore> {
  return await onStore(async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const root = await realpath(folder)
    // Not created again later: if the disk was unmounted, its mount point must not be filled.
    await mkdir(join(root, DRAFTS), { recursive: true, mode: 0o700 })
    const store = fileBlobStore(root)
    await store.check()
    return store
  })
}

function fileBlobStore(root: string): BlobStore {
  const tree = new FolderTree(root)
  const drafts = join(root, DRAFTS)

  function pathOf(key: string): string {
    assertBlobKey(key)
    return join(root, ...key.split('/'))
  }

  /** Reports no blob as missing while the whole folder is: an unmounted disk comes back. */
  async function noBlob(): Promise<undefined> {
    await access(drafts)
  }

  const draft = (source: AsyncIterable<Uint8Array>) => writeFileDraft(source, { drafts, tree, pathOf })

  return {
    kind: 'files',
    draft,
    partials: createFilePartials({
      drafts,
      draft,
      link: (path, key) => onStore(() => linkDurably(path, pathOf(key), key, tree)),
    }),
    read: (key, range) => onStore(async () => (await readFileBlob(tree, pathOf(key), range)) ?? (await noBlob())),
    head: (key) => onStore(async () => (await headFileBlob(tree, pathOf(key))) ?? (await noBlob())),
    localPath: pathOf,
    delete: (key) => onStore(async () => void ((await deleteFileBlob(tree, pathOf(key))) || (await noBlob()))),
    sweepDrafts: (olderThanMs) => onStore(() => sweepFiles(drafts, Date.now() - olderThanMs)),
    close: async () => {},

    async *list(folder = '') {
      assertBlobFolder(folder)
      try {
        await noBlob()
        for await (const { path, size, modifiedMs } of tree.filesIn(resolve(root, folder), DRAFTS))
          yield { key: relative(root, path).replaceAll(sep, '/'), size, modifiedMs }
      } catch (error) {
        throw translateBlobFailure(error)
      }
    },

    check: () => onStore(() => access(drafts, constants.R_OK | constants.W_OK | constants.X_OK)),
  }
}

async function readFileBlob(tree: FolderTree, path: string, range?: BlobRange): Promise<Readable | undefined> {
  if (!(await tree.isPlain(dirname(path)))) return undefined
  const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)).catch(ifMissing(undefined))
  if (file === undefined) return undefined
  let isStreamed = false
  try {
    const found = await file.stat()
    if (!found.isFile()) return undefined
    const start = range?.start ?? 0
    const length = Math.max(0, Math.min(range?.end ?? Infinity, found.size - 1) - start + 1)
    if (length <= READ_CHUNK_BYTES) return await readAtOnce(file, start, length)
    isStreamed = true
    return file.createReadStream({ start, end: start + length - 1, highWaterMark: READ_CHUNK_BYTES })
  } finally {
    if (!isStreamed) await file.close()
  }
}

/** Reads a page image in one call. A file stream would take several, and one more to find the end. */
async function readAtOnce(file: FileHandle, start: number, length: number): Promise<Readable> {
  const bytes = Buffer.allocUnsafe(length)
  const { bytesRead } = length === 0 ? { bytesRead: 0 } : await file.read(bytes, 0, length, start)
  // Blobs never change, so only a failing disk returns fewer bytes.
  if (bytesRead < length) throw Object.assign(new Error('The file ended early'), { code: 'EIO' })
  const stream = new Readable({ read() {} })
  if (length > 0) stream.push(bytes)
  stream.push(null)
  return stream
}

async function headFileBlob(tree: FolderTree, path: string): Promise<{ size: number } | undefined> {
  if (!(await tree.isPlain(dirname(path)))) return undefined
  const found = await lstat(path).catch(ifMissing(undefined))
  return found?.isFile() ? { size: found.size } : undefined
}

/** Returns whether the file existed. */
async function deleteFileBlob(tree: FolderTree, path: string): Promise<boolean> {
  if (!(await tree.isPlain(dirname(path)))) return false
  const isDeleted = await unlink(path).then(() => true, ifMissing(false))
  await tree.removeEmpty(dirname(path))
  return isDeleted
}

async function sweepFiles(folder: string, limitMs: number): Promise<number> {
  let swept = 0
  for (const name of await readdir(folder).catch(ifMissing([]))) {
    const path = join(folder, name)
    const found = await lstat(path).catch(ifMissing(undefined))
    if (found === undefined || found.mtimeMs > limitMs) continue
    await rm(path, { force: true })
    swept++
  }
  return swept
}

type Place = { drafts: string; tree: FolderTree; pathOf(key: string): string }

/** Maximum attempts: a delete can remove a folder just before it is used, but not this often by chance. */
const COMMIT_ATTEMPTS = 10

/** Writes a stream to a new file among the drafts and syncs it. */
async function writeFileDraft(source: AsyncIterable<Uint8Array>, place: Place): Promise<BlobDraft> {
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
