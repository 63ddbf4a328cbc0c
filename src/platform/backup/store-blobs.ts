import { hash } from 'node:crypto'
import pLimit from 'p-limit'
import { type BlobStore, sumOf } from '../blobs/blob-store.ts'
import { type BackupFolder, displacedName, storedName, type WrittenFile } from './backup-folder.ts'
import type { Inventory, InventoryBlob } from './inventory.ts'
import { readFolderFile } from './restore-files.ts'
import { BackupError } from './sealed-stream.ts'

type Sources = {
  folder: BackupFolder
  inventory: Inventory
  /** The inventory of the snapshot before, if there is one. */
  previous: Inventory | undefined
  blobs: () => Promise<BlobStore>
  dataDir: string
  nowMs: number
}

/** Number of files with their bytes. */
type WrittenTotals = { count: number; bytes: number }

/** The outcome for the stored files of an installation. */
type StoredBlobs = {
  /** Keys of files that the installation does not have. */
  absent: Set<string>
  /** Keys of files that differ from their rows, or from the copy of an earlier backup. */
  damaged: Set<string>
  copied: WrittenTotals
}

/** Files that are copied at once, so that syncing them to disk, or a bucket, is not waited for one by one. */
const CONCURRENT_FILES = 8

/**
 * Copies the stored files that an inventory names into the folder, unless it has them. Each copy is compared with the
 * file: by existence, size and time, and by its bytes if one of them differs from before, or on a schedule. A good copy
 * is never replaced by a damaged file; a damaged copy is, once the file is repaired.
 */
export async function storeBlobs(sources: Sources): Promise<StoredBlobs> {
  const outcome: StoredBlobs = { absent: new Set(), damaged: new Set(), copied: { count: 0, bytes: 0 } }
  const limit = pLimit(CONCURRENT_FILES)
  for (const page of sources.inventory.pages()) {
    // All are waited for, so that none goes on when one has failed.
    const results = await Promise.allSettled(page.map((blob) => limit(() => storeBlob(sources, blob, outcome))))
    const failed = results.find((result) => result.status === 'rejected')
    if (failed !== undefined) throw failed.reason
  }
  return outcome
}

/**
 * Tries again to copy files that did not exist.
 * @returns the files that still do not
 */
export async function storeAbsent(
  sources: Sources,
  keys: ReadonlySet<string>,
  outcome: StoredBlobs,
): Promise<Set<string>> {
  const still: StoredBlobs = { ...outcome, absent: new Set() }
  for (const key of keys) await storeBlob(sources, sources.inventory.find(key)!, still, true)
  return still.absent
}

async function storeBlob(sources: Sources, blob: InventoryBlob, outcome: StoredBlobs, isLate = false): Promise<void> {
  const { inventory, previous, nowMs } = sources
  const known = previous?.find(blob.key)
  const isDue = isDueForComparison(blob.key, known?.comparedMs ?? null, nowMs)
  const settle = (written: WrittenFile, comparedMs: number | null) => {
    const state = isAsNamed(blob, written) ? 'stored' : 'damaged'
    inventory.settle({ key: blob.key, ...written, comparedMs, state })
  }
  const isSeen = blob.path !== null || blob.seenBytes !== null || isLate
  const copy = await findCopy(sources, blob, known, isDue)
  if (copy !== undefined) {
    const isGood = isAsNamed(blob, copy)
    // Before the installation is inspected: a file that it has lost is kept as the folder has it.
    settle(copy, known?.comparedMs ?? null)
    if (isGood && isSeen && !isDue && isSeenAsBefore(blob, known)) return
    const found = isSeen ? await readSum(sources, blob) : undefined
    if (found === undefined) return void outcome.absent.add(blob.key)
    if (isSame(copy, found)) settle(copy, nowMs)
    if (isGood && !isSame(copy, found)) outcome.damaged.add(blob.key)
    if (isGood) return
    if (isSame(copy, found)) return void outcome.damaged.add(blob.key)
  }
  const written = isSeen ? await replaceCopy(sources, blob, known, outcome.copied) : undefined
  if (written === undefined) return void outcome.absent.add(blob.key)
  settle(written, nowMs)
  if (!isAsNamed(blob, written)) outcome.damaged.add(blob.key)
}

function isSeenAsBefore(blob: InventoryBlob, known: InventoryBlob | undefined): boolean {
  if (blob.path !== null) return true
  return known !== undefined && blob.seenBytes === blob.size && blob.seenMs !== null && blob.seenMs === known.seenMs
}

/**
 * Finds a file in the folder, from an earlier backup or from one that was broken off: by the facts in an earlier
 * inventory, or by its bytes. Undefined if there is none, or none that can be read.
 */
async function findCopy(
  { folder }: Sources,
  blob: InventoryBlob,
  known: InventoryBlob | undefined,
  isDue: boolean,
): Promise<WrittenFile | undefined> {
  const name = folder.blobName(blob.key)
  const bytes = await folder.sizeOf(name)
  if (bytes === undefined) return undefined
  const written = known === undefined || known.sha256 === null ? undefined : { size: known.size, sha256: known.sha256 }
  if (written !== undefined && folder.storedSize(written.size) !== bytes) return undefined
  if (written !== undefined && !isDue) return written
  const found = await readCopy(folder, name)
  if (found === undefined) return undefined
  return isSame(found, written ?? found) && (written !== undefined || isAsNamed(blob, found)) ? found : undefined
}

function isAsNamed({ size, sha256 }: InventoryBlob, found: WrittenFile): boolean {
  return found.size === size && (sha256 === null || found.sha256 === sha256)
}

function isSame(a: WrittenFile, b: WrittenFile): boolean {
  return a.size === b.size && a.sha256 === b.sha256
}

/** Reads a copy in the folder; undefined if it is damaged, and has to be copied again. */
async function readCopy(folder: BackupFolder, name: string): Promise<WrittenFile | undefined> {
  try {
    return await sumOf(folder.read(name))
  } catch (error) {
    if (error instanceof BackupError) return undefined
    throw error
  }
}

async function readSum(sources: Sources, blob: InventoryBlob): Promise<WrittenFile | undefined> {
  const source = await openSource(sources, blob)
  return source === undefined ? undefined : await sumOf(source)
}

async function openSource({ blobs, dataDir }: Sources, { key, path, size }: InventoryBlob) {
  return path === null ? await (await blobs()).read(key) : await readFolderFile(dataDir, { key, path, size })
}

async function replaceCopy(
  sources: Sources,
  blob: InventoryBlob,
  known: InventoryBlob | undefined,
  copied: WrittenTotals,
): Promise<WrittenFile | undefined> {
  const { folder, dataDir } = sources
  const { key, path, size } = blob
  const source = await openSource(sources, blob)
  if (source === undefined) return undefined
  if (known !== undefined) await keepDisplaced(folder, known)
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

/** Keeps the copy that earlier snapshots have under a key, before it is replaced: they would be damaged without it. */
async function keepDisplaced(folder: BackupFolder, known: InventoryBlob): Promise<void> {
  if (known.sha256 === null || (known.state !== 'stored' && known.state !== 'damaged')) return
  const written = { size: known.size, sha256: known.sha256 }
  const name = displacedName(folder, known.key, written.sha256)
  const from = await storedName(folder, known.key, written)
  if (from === name) return
  try {
    await folder.write(name, folder.readWritten(from, written))
  } catch (error) {
    // They have lost it already.
    if (!(error instanceof BackupError)) throw error
  }
}

const DAY_MS = 86_400_000
/** Each file is read and compared again after this time, and at most this much later: not all on the same day. */
const COMPARED_AFTER_MS = 14 * DAY_MS
const SPREAD_MS = 14 * DAY_MS

/**
 * Tells whether a file has to be read and compared with its copy, which was last done at `comparedMs`. A time in the
 * future comes from a clock that was wrong.
 */
function isDueForComparison(key: string, comparedMs: number | null, nowMs: number): boolean {
  if (comparedMs === null || comparedMs > nowMs) return true
  const share = hash('sha256', key, 'buffer').readUInt32BE() / 2 ** 32
  return nowMs - comparedMs >= COMPARED_AFTER_MS + share * SPREAD_MS
}
