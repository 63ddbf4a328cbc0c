import { hash } from 'node:crypto'
import { mkdir, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import pLimit from 'p-limit'
import { isBlobKey } from '../../blobs/blob-key.ts'
import { BlobExistsError, type BlobStore } from '../../blobs/blob-store.ts'
import { syncFolder } from '../../blobs/folder-tree.ts'
import { sumOf } from '../../blobs/sum-of.ts'
import { BackupError } from '../backup-error.ts'
import { isFolderPath } from '../contents/folder-files.ts'
import type { Inventory, InventoryBlob } from '../contents/inventory.ts'
import { storedName } from '../contents/stored-name.ts'
import type { BegunRestore } from '../contents/unfinished-restore.ts'
import { type BackupFolder, copyOut, type WrittenFile } from '../folder/backup-folder.ts'

type Target = { blobs: () => Promise<BlobStore>; dataDir: string; folders: readonly string[]; restore: BegunRestore }

/** Files that are written at once, so that syncing them to disk, or a bucket, is not waited for one by one. */
const CONCURRENT_FILES = 8

/**
 * Copies the stored files of a snapshot into an installation. Those that a former attempt has left are compared and
 * kept.
 * @throws BackupError if a file is missing, damaged, or would not belong where it is to go; UNAVAILABLE
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
 * @throws BackupError if the inventory says what this program would not have written
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
