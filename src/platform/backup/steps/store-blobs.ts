import { createHash } from 'node:crypto'
import pLimit from 'p-limit'
import type { BlobStore } from '../../blobs/blob-store.ts'
import type { BackupError } from '../backup-error.ts'
import { readFolderFile } from '../contents/folder-files.ts'
import type { Inventory, InventoryBlob } from '../contents/inventory.ts'
import type { BackupFolder, WrittenFile } from '../folder/backup-folder.ts'

type Sources = {
  folder: BackupFolder
  inventory: Inventory
  /** The inventory of the snapshot before, if there is one. */
  previous: Inventory | undefined
  blobs: () => Promise<BlobStore>
  dataDir: string
}

/** Files that are copied at once, so that syncing them to disk, or a bucket, is not waited for one by one. */
const CONCURRENT_FILES = 8

/**
 * Copies the stored files that an inventory names into the folder, but for those that it has. Stored files never
 * change, so one that is there is the same.
 * @returns the keys of files that do not exist, and the files and bytes that were copied
 */
export async function storeBlobs(sources: Sources): Promise<{ absent: Set<string>; copied: WrittenTotals }> {
  const absent = new Set<string>()
  const copied: WrittenTotals = { count: 0, bytes: 0 }
  const limit = pLimit(CONCURRENT_FILES)
  for (const page of sources.inventory.pages()) {
    await Promise.all(
      page.map((blob) =>
        limit(async () => {
          const found = (await findStored(sources, blob)) ?? (await copy(sources, blob, copied))
          if (found === undefined) absent.add(blob.key)
          else settle(sources.inventory, blob, found)
        }),
      ),
    )
  }
  return { absent, copied }
}

/** A number of files with their bytes. */
type WrittenTotals = { count: number; bytes: number }

/** Tries again to copy files that did not exist. @returns those that still do not */
export async function storeAbsent(sources: Sources, keys: ReadonlySet<string>): Promise<Set<string>> {
  const absent = new Set<string>()
  for (const key of keys) {
    const blob = sources.inventory.find(key)!
    const found = await copy(sources, blob, { count: 0, bytes: 0 })
    if (found === undefined) absent.add(key)
    else settle(sources.inventory, blob, found)
  }
  return absent
}

function settle(inventory: Inventory, blob: InventoryBlob, found: WrittenFile): void {
  inventory.settle({ key: blob.key, ...found, state: isAsNamed(blob, found) ? 'stored' : 'damaged' })
}

/** Finds a file in the folder, where an earlier backup has put it, or one that was broken off. */
async function findStored({ folder, previous }: Sources, blob: InventoryBlob): Promise<WrittenFile | undefined> {
  const name = folder.blobName(blob.key)
  const bytes = await folder.sizeOf(name)
  if (bytes === undefined) return undefined
  const known = previous?.find(blob.key)
  if (known !== undefined && known.sha256 !== null && folder.storedSize(known.size) === bytes)
    return { size: known.size, sha256: known.sha256 }
  const found = await hashOf(folder, name)
  return found !== undefined && isAsNamed(blob, found) ? found : undefined
}

function isAsNamed({ size, sha256 }: InventoryBlob, found: WrittenFile): boolean {
  return found.size === size && (sha256 === null || found.sha256 === sha256)
}

/** Reads a file whose hash is not known; undefined if it is damaged, and has to be copied again. */
async function hashOf(folder: BackupFolder, name: string): Promise<WrittenFile | undefined> {
  const digest = createHash('sha256')
  let size = 0
  try {
    for await (const bytes of folder.read(name)) {
      digest.update(bytes)
      size += bytes.byteLength
    }
  } catch (error) {
    if ((error as BackupError).name === 'BackupError') return undefined
    throw error
  }
  return { size, sha256: digest.digest('hex') }
}

async function copy(
  { folder, blobs, dataDir }: Sources,
  { key, path, size }: InventoryBlob,
  copied: WrittenTotals,
): Promise<WrittenFile | undefined> {
  const read = async () =>
    path === null ? await (await blobs()).read(key) : await readFolderFile(dataDir, { key, path, size })
  const source = await read()
  if (source === undefined) return undefined
  const written = await folder.write(folder.blobName(key), source)
  // A file of a folder may have been written to meanwhile.
  if (path !== null) {
    const after = await readFolderFile(dataDir, { key, path, size })
    after?.destroy()
    if (after === undefined) return undefined
  }
  copied.count++
  copied.bytes += written.size
  return written
}
