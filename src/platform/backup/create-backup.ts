import { createReadStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import type { BlobStore } from '../blobs/blob-store.ts'
import type { Database } from '../database/database.ts'
import { connectDatabase } from '../database/open-database.ts'
import { BackupFolder } from './backup-folder.ts'
import { Inventory, openInventory, type Pruned, pack, pruneSnapshots } from './inventory.ts'
import { type Installation, secretFingerprint } from './kept-data.ts'
import {
  bytesOf,
  listSnapshots,
  type Manifest,
  type ManifestFile,
  newSnapshotName,
  readManifest,
  removeSnapshot,
  snapshotPath,
  writeManifest,
} from './manifest.ts'
import { folderFiles } from './restore-files.ts'
import { BackupError } from './sealed-stream.ts'
import { storeAbsent, storeBlobs } from './store-blobs.ts'
import { storeDatabases } from './stored-databases.ts'

type CreateOptions = {
  /** Encrypts the folder, if it is new; opens it, if it is encrypted. */
  passphrase?: string | undefined
  /** Stores the secret in plain text, which only an encrypted folder does by itself. */
  includesSecret?: boolean
  /** Number of snapshots to keep; all of them by default. */
  keep?: number | undefined
}

/** A finished backup. */
export type CreatedBackup = {
  snapshot: string
  manifest: Manifest
  /** The stored files that were not in the folder yet. */
  copied: { count: number; bytes: number }
  /** Some of the stored files that the installation lacks, or has damaged. The folder may have good copies. */
  missing: string[]
  damaged: string[]
  pruned: Pruned | undefined
}

/**
 * Looks whether an absent file is still named, and the pauses between them: a deletion removes a file before its row.
 */
const LOOKS = 3
const LOOK_EVERY_MS = 2_000
const MAX_KEYS = 20

/**
 * Backs up a running installation into a folder: databases first, each as it is at one moment, then the
 * stored files that their rows name. The manifest is written last, so a backup that was broken off is
 * none; it leaves earlier ones as they are.
 * @throws BackupError; UNAVAILABLE
 */
export async function createBackup(
  installation: Installation,
  path: string,
  { passphrase, includesSecret = false, keep }: CreateOptions,
): Promise<CreatedBackup> {
  const folder = await BackupFolder.openOrCreate(path, passphrase)
  using _lock = holdLock(folder.lockPath)
  await removeRemains(folder)
  await using scratch = await makeScratch(installation.dataDir, folder.id)
  const startedAtMs = installation.now()
  const snapshot = await newSnapshotName(folder, startedAtMs)
  const inventory = new Inventory(join(scratch.path, 'inventory.sqlite'))
  const { engine, databases } = await storeDatabases(installation, {
    folder,
    snapshot,
    scratch: scratch.path,
    inventory,
  })
  const { copied, missing, damaged, totals } = await storeFiles(installation, folder, scratch.path, inventory)
  inventory.close()
  const packed = pack(createReadStream(join(scratch.path, 'inventory.sqlite')))
  const inventoryFile = folder.isSealed ? 'inventory' : 'inventory.sqlite.zst'
  const manifest: Manifest = {
    program: installation.program,
    started_at: new Date(startedAtMs).toISOString(),
    finished_at: new Date(installation.now()).toISOString(),
    engine,
    databases,
    blobs: {
      count: totals.stored.count + totals.damaged.count,
      bytes: totals.stored.bytes + totals.damaged.bytes,
      deleted: totals.deleted.count,
      missing: totals.missing.count,
      damaged: totals.damaged.count,
    },
    inventory: {
      file: inventoryFile,
      ...(await folder.write(snapshotPath(snapshot, inventoryFile), packed)),
    },
    secret: await storeSecret(installation, folder, snapshot, includesSecret || folder.isSealed),
  }
  await folder.syncNames()
  await writeManifest(folder, snapshot, manifest)
  const pruned =
    keep === undefined ? undefined : await pruneSnapshots(folder, { keep, newest: snapshot, scratch: scratch.path })
  return { snapshot, manifest, copied, missing, damaged, pruned }
}

/** Removes the remains of a killed command: drafts, and incomplete snapshots. */
async function removeRemains(folder: BackupFolder): Promise<void> {
  await folder.removeDrafts()
  for (const { name, isWhole } of await listSnapshots(folder)) if (!isWhole) await removeSnapshot(folder, name)
}

async function storeFiles(installation: Installation, folder: BackupFolder, scratch: string, inventory: Inventory) {
  const { dataDir, kept, say } = installation
  for await (const file of folderFiles(
    dataDir,
    kept.flatMap(({ folders }) => folders),
  ))
    inventory.add({ ...file, sha256: null })
  const { wanted } = inventory.totals()
  say(`Copying those of ${wanted.count} files, ${wanted.bytes} bytes, that are not in the folder yet`)
  const previous = await openPrevious(folder, scratch)
  const store = openOnce(() => installation.openBlobs())
  try {
    if (wanted.count > 0) for await (const file of (await store.open()).list()) inventory.see(file)
    const sources = { folder, inventory, previous, blobs: store.open, dataDir, nowMs: installation.now() }
    const outcome = await storeBlobs(sources)
    const missing = await settleAbsent(installation, inventory, outcome.absent, (keys) =>
      storeAbsent(sources, keys, outcome),
    )
    return {
      copied: outcome.copied,
      missing: someNames(inventory, missing),
      damaged: someNames(inventory, outcome.damaged),
      totals: inventory.totals(),
    }
  } finally {
    previous?.close()
    await store.close()
  }
}

async function openPrevious(folder: BackupFolder, scratch: string): Promise<Inventory | undefined> {
  const newest = (await listSnapshots(folder)).findLast(({ isWhole }) => isWhole)?.name
  if (newest === undefined) return undefined
  try {
    return await openInventory(folder, newest, await readManifest(folder, newest), join(scratch, 'previous.sqlite'))
  } catch (error) {
    // Only its hashes are missing then, and are computed again from the files.
    if (error instanceof BackupError) return undefined
    throw error
  }
}

/**
 * Finds out whether absent files were deleted during the backup, or are missing. Copies in the folder stay in the
 * backup.
 * @returns the missing ones
 */
async function settleAbsent(
  installation: Installation,
  inventory: Inventory,
  absent: Set<string>,
  tryAgain: (keys: Set<string>) => Promise<Set<string>>,
): Promise<Set<string>> {
  let unsettled = absent
  for (let look = 1; unsettled.size > 0; look++) {
    const named = await stillNamed(installation, unsettled)
    for (const key of unsettled) if (!named.has(key)) inventory.settle({ ...inventory.find(key)!, state: 'deleted' })
    unsettled = await tryAgain(named)
    if (unsettled.size === 0) break
    if (look === LOOKS) break
    await wait(LOOK_EVERY_MS)
  }
  for (const key of unsettled) {
    const blob = inventory.find(key)!
    if (blob.state === 'wanted') inventory.settle({ ...blob, state: 'missing' })
  }
  return unsettled
}

/** Returns the keys that rows of the running installation name. Files of folders are named by nothing. */
async function stillNamed(
  { kept, databaseUrl, dataDir }: Installation,
  keys: ReadonlySet<string>,
): Promise<Set<string>> {
  const named = new Set<string>()
  for (const { name, blobs } of kept) {
    if (Object.keys(blobs).length === 0) continue
    const database: Database = await connectDatabase({ url: databaseUrl, dataDir, name, isPatient: true })
    try {
      for (const namedBlobs of Object.values(blobs))
        for await (const { key } of namedBlobs(database.db)) if (keys.has(key)) named.add(key)
    } finally {
      await database.close()
    }
  }
  return named
}

async function storeSecret(
  installation: Installation,
  folder: BackupFolder,
  snapshot: string,
  isIncluded: boolean,
): Promise<Manifest['secret']> {
  const secrets = installation.secrets()
  if (secrets.length === 0) throw new BackupError('There is nothing to back up: the installation has no secret')
  const fingerprint = secretFingerprint(secrets[0])
  if (!isIncluded) return { fingerprint, file: null }
  const written = await folder.write(snapshotPath(snapshot, 'secret'), bytesOf(`${secrets.join('\n')}\n`))
  const file: ManifestFile = { file: 'secret', ...written }
  return { fingerprint, file }
}

/** Names some files for the operator: files of folders by their paths. */
function someNames(inventory: Inventory, keys: ReadonlySet<string>): string[] {
  return [...keys].slice(0, MAX_KEYS).map((key) => inventory.find(key)?.path ?? key)
}

/** Opens the store when it is first needed: an installation may have no stored files. */
export function openOnce(open: () => Promise<BlobStore>) {
  let opening: Promise<BlobStore> | undefined
  return {
    open(): Promise<BlobStore> {
      opening ??= open()
      return opening
    },
    async close(): Promise<void> {
      const store = await opening?.catch(() => undefined)
      await store?.close()
    },
  }
}

const SQLITE_BUSY = 5

/**
 * Takes a lock that ends with the process, however it ends: a lock of SQLite on an empty file. Node.js has no locks of
 * files.
 * @returns a function that releases it
 * @throws BackupError if another process holds it
 */
export function holdLock(path: string): Disposable {
  const database = new DatabaseSync(path)
  try {
    database.exec('pragma locking_mode = exclusive; begin exclusive')
  } catch (error) {
    database.close()
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error
    throw new BackupError('Another command is writing to this backup folder')
  }
  return { [Symbol.dispose]: () => database.close() }
}

/**
 * Makes an empty folder in the data folder for intermediate copies, which may hold everything in plain text. Removes
 * the remains of a killed command. Requires the lock of the backup folder `id`.
 */
async function makeScratch(dataDir: string, id: string): Promise<AsyncDisposable & { path: string }> {
  const path = join(dataDir, `.backup-${id}`)
  const remove = () => rm(path, { recursive: true, force: true })
  await remove()
  await mkdir(path, { recursive: true, mode: 0o700 })
  return { path, [Symbol.asyncDispose]: remove }
}
