import { createHash, hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, readdir, rename, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import pLimit from 'p-limit'
import { BlobExistsError, type BlobStore, isBlobKey, sumOf } from '../blobs/blob-store.ts'
import { ifMissing, syncFolder } from '../blobs/folder-tree.ts'
import { type BackupFolder, copyOut, storedName, type WrittenFile } from './backup-folder.ts'
import type { Inventory, InventoryBlob } from './inventory.ts'
import { BackupError } from './sealed-stream.ts'
import type { BegunRestore } from './unfinished-restore.ts'

type Target = { blobs: () => Promise<BlobStore>; dataDir: string; folders: readonly string[]; restore: BegunRestore }

/** Files that are written at once, so that syncing them to disk, or a bucket, is not waited for one by one. */
const CONCURRENT_FILES = 8

/**
 * Copies the stored files of a snapshot into an installation. Files that a former attempt has left are compared and
 * kept.
 * @throws BackupError if a file is missing, damaged, or would not belong in its place; UNAVAILABLE
 */
export async function restoreFiles(folder: BackupFolder, inventory: Inventory, target: Target): Promise<void> {
  const limit = pLimit(CONCURRENT_FILES)
  for (const page of inventory.pages()) {
    const present = page.filter((blob) => isPresent(blob))
    // All are waited for, so that none goes on when one has failed.
    const results = await Promise.allSettled(
      present.map((blob) =>
        limit(() => (blob.path === null ? restoreBlob(folder, blob, target) : restoreFolderFile(folder, blob, target))),
      ),
    )
    const failed = results.find((result) => result.status === 'rejected')
    if (failed !== undefined) throw failed.reason
  }
}

/**
 * Tells whether a file of an inventory is in the backup.
 * @throws BackupError if this program would not have written the inventory so
 */
export function isPresent({ key, path, size, sha256, state }: InventoryBlob): boolean {
  if (state === 'deleted' || state === 'missing') return false
  const isWritten =
    (state === 'stored' || state === 'damaged') && Number.isSafeInteger(size) && /^[0-9a-f]{64}$/.test(sha256 ?? '')
  if (!isWritten || !isBlobKey(key) || (path !== null && typeof path !== 'string'))
    throw new BackupError(`The inventory is damaged: it has an entry ${JSON.stringify(key)} that cannot be`)
  return true
}

/** Reads a file that is in the backup. The last bytes have come when the stream throws. @throws BackupError */
export async function readStored(folder: BackupFolder, blob: InventoryBlob): Promise<AsyncIterable<Uint8Array>> {
  const written = writtenOf(blob)
  return folder.readWritten(await storedName(folder, blob.key, written), written)
}

/** Returns the size and SHA-256 of a file that is in the backup. */
export function writtenOf({ size, sha256 }: InventoryBlob): WrittenFile {
  return { size, sha256: sha256! }
}

async function restoreBlob(folder: BackupFolder, blob: InventoryBlob, { blobs, restore }: Target): Promise<void> {
  const store = await blobs()
  if (restore.isRepeated && (await isThere(store, blob))) return
  await using draft = await store.draft(await readStored(folder, blob))
  try {
    await draft.commit(blob.key)
  } catch (error) {
    if (!(error instanceof BlobExistsError)) throw error
    throw new BackupError(`The storage has another file under ${blob.key} already`)
  }
}

/** Compares a file that a former attempt has left, and removes it if it is another one. */
async function isThere(store: BlobStore, { key, size, sha256 }: InventoryBlob): Promise<boolean> {
  const stream = await store.read(key)
  if (stream === undefined) return false
  const found = await sumOf(stream)
  if (found.size === size && found.sha256 === sha256) return true
  await store.delete(key)
  return false
}

async function restoreFolderFile(folder: BackupFolder, blob: InventoryBlob, target: Target): Promise<void> {
  const path = blob.path!
  if (!isFolderPath(path, target.folders))
    throw new BackupError(`The inventory is damaged: ${JSON.stringify(path)} is no file of a folder that is kept`)
  const draft = join(target.restore.staging, hash('sha256', path))
  await copyOut(await readStored(folder, blob), draft)
  const place = join(target.dataDir, path)
  await mkdir(dirname(place), { recursive: true, mode: 0o700 })
  await rename(draft, place)
  await syncFolder(dirname(place))
}

/** A file of a folder in the data folder. Its key stands for its content, as with a blob. */
type FolderFile = { key: string; path: string; size: number }

/** Begins the keys of such files. No blob has such a key. */
const PREFIX = 'folder-files/'
const NAME = /^[^./\\\0][^/\\\0]{0,199}$/

/** Tells whether a path leads to a file directly in one of the folders, and nowhere else. */
function isFolderPath(path: string, folders: readonly string[]): boolean {
  const [folder, name = '', ...deeper] = path.split('/')
  return folders.includes(folder) && deeper.length === 0 && NAME.test(name)
}

/** Lists the files directly in folders of the data folder, without hidden ones. The folders need not exist. */
export async function* folderFiles(dataDir: string, folders: readonly string[]): AsyncGenerator<FolderFile> {
  for (const folder of folders) {
    for (const name of await readdir(join(dataDir, folder)).catch(ifMissing([]))) {
      const file = NAME.test(name) ? await describe(dataDir, `${folder}/${name}`) : undefined
      if (file !== undefined) yield file
    }
  }
}

/** Reads a file that is still as listed; undefined once it has changed or gone. */
export async function readFolderFile(dataDir: string, { key, path }: FolderFile): Promise<Readable | undefined> {
  if ((await describe(dataDir, path))?.key !== key) return undefined
  return createReadStream(join(dataDir, path), { highWaterMark: 1_048_576 })
}

async function describe(dataDir: string, path: string): Promise<FolderFile | undefined> {
  const found = await stat(join(dataDir, path), { bigint: true }).catch(ifMissing(undefined))
  if (!found?.isFile()) return undefined
  const text = [path, found.size, found.mtimeNs].join('\n')
  return { key: `${PREFIX}${createHash('sha256').update(text).digest('hex')}`, path, size: Number(found.size) }
}
