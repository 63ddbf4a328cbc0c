import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { pipeline, Readable } from 'node:stream'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import { type BackupFolder, BLOBS, copyOut, displacedName } from './backup-folder.ts'
import { listSnapshots, type Manifest, readManifest, removeSnapshot, snapshotPath } from './manifest.ts'
import { BackupError } from './sealed-stream.ts'

/**
 * State of a stored file that a row names: `stored` in the backup; `damaged` if it is there as it was found, which is
 * not as its row says; `deleted` if it was deleted during the backup; `missing` if it should have been there.
 */
type BlobState = 'wanted' | 'stored' | 'damaged' | 'deleted' | 'missing'

/** A stored file in a backup. */
export type InventoryBlob = Readonly<SeenFile> & {
  key: string
  /** Path within the data folder, for a file of a folder; null for one of the blob store. */
  path: string | null
  size: number
  sha256: string | null
  state: BlobState
}

/** The file of an installation as it was seen when the backup was made; null where it is not known, or is not there. */
type SeenFile = {
  seenBytes: number | null
  /** Time of its last change. */
  seenMs: number | null
  /** Time at which it was last read and compared with the copy. */
  comparedMs: number | null
}

const KEYS_PER_PAGE = 256

const COLUMNS = 'key, path, size, sha256, state'
const SEEN_COLUMNS = 'seen_bytes as seenBytes, seen_ms as seenMs, compared_ms as comparedMs'
/** Earlier inventories have no such columns. */
const NOTHING_SEEN = 'null as seenBytes, null as seenMs, null as comparedMs'

/**
 * The list of all stored files of a snapshot. A SQLite file, because an installation may have millions, and memory is
 * limited.
 */
export class Inventory {
  readonly #database: DatabaseSync
  readonly #find: StatementSync
  readonly #page: StatementSync
  /** Undefined if the file is only read. */
  readonly #writers: Record<'add' | 'see' | 'settle', StatementSync> | undefined

  /** Opens or creates the file. Not durable: it is copied into the backup when it is complete. */
  constructor(path: string, { readOnly = false } = {}) {
    this.#database = new DatabaseSync(path, { readOnly })
    // The file may come from others: nothing in its schema may call functions.
    this.#database.exec('pragma trusted_schema = off; pragma cell_size_check = on')
    this.#writers = readOnly ? undefined : prepareWriters(this.#database)
    const known = this.#database.prepare("select name from pragma_table_info('blobs')").all()
    const columns = `${COLUMNS}, ${known.some(({ name }) => name === 'compared_ms') ? SEEN_COLUMNS : NOTHING_SEEN}`
    this.#find = this.#database.prepare(`select ${columns} from blobs where key = ?`)
    this.#page = this.#database.prepare(
      `select ${columns} from blobs where key > ? order by key limit ${KEYS_PER_PAGE}`,
    )
  }

  /** Adds a file to be stored, unless it is there. */
  add(blob: Pick<InventoryBlob, 'key' | 'path' | 'size' | 'sha256'>): void {
    this.#writers!.add.run(blob.key, blob.path, blob.size, blob.sha256)
  }

  /** Notes size and time of a file of the installation, if the inventory has it. */
  see({ key, size, modifiedMs }: { key: string; size: number; modifiedMs: number }): void {
    this.#writers!.see.run(size, Math.round(modifiedMs), key)
  }

  find(key: string): InventoryBlob | undefined {
    return this.#find.get(key) as InventoryBlob | undefined
  }

  /** Records the outcome for a file, and the size and SHA-256 of its copy in the backup. */
  settle({ key, size, sha256, state, comparedMs }: Omit<InventoryBlob, 'path' | 'seenBytes' | 'seenMs'>): void {
    this.#writers!.settle.run(state, size, sha256, comparedMs, key)
  }

  /** Lists all files by key, a page at a time. Pages may be changed while they are read. */
  *pages(): Generator<InventoryBlob[]> {
    for (let after = ''; ; ) {
      const page = this.#page.all(after) as InventoryBlob[]
      if (page.length === 0) return
      yield page
      after = page[page.length - 1].key
    }
  }

  /** Counts files and bytes by state. */
  totals(): Record<BlobState, { count: number; bytes: number }> {
    const none = { count: 0, bytes: 0 }
    const totals = { wanted: none, stored: none, damaged: none, deleted: none, missing: none }
    const rows = this.#database
      .prepare('select state, count(*) as count, sum(size) as bytes from blobs group by state')
      .all() as { state: BlobState; count: number; bytes: number }[]
    for (const { state, count, bytes } of rows) totals[state] = { count, bytes }
    return totals
  }

  close(): void {
    this.#database.close()
  }
}

function prepareWriters(database: DatabaseSync) {
  database.exec(`
    pragma journal_mode = off; pragma synchronous = off; pragma locking_mode = exclusive;
    create table if not exists blobs (
      key text primary key, path text, size integer not null, sha256 text, state text not null,
      seen_bytes integer, seen_ms integer, compared_ms integer
    ) without rowid`)
  return {
    add: database.prepare(
      `insert into blobs (key, path, size, sha256, state) values (?, ?, ?, ?, 'wanted') on conflict do nothing`,
    ),
    see: database.prepare('update blobs set seen_bytes = ?, seen_ms = ? where key = ?'),
    settle: database.prepare('update blobs set state = ?, size = ?, sha256 = ?, compared_ms = ? where key = ?'),
  }
}

/**
 * Unpacks the inventory of a snapshot to a path, which is replaced, and opens it.
 * @throws BackupError if it is damaged
 */
export async function openInventory(
  folder: BackupFolder,
  snapshot: string,
  { inventory }: Manifest,
  path: string,
): Promise<Inventory> {
  const name = snapshotPath(snapshot, inventory.file)
  await rm(path, { force: true })
  await copyOut(unpack(folder.readWritten(name, inventory), name), path)
  try {
    return new Inventory(path, { readOnly: true })
  } catch (cause) {
    throw new BackupError(`${name} is damaged: ${(cause as Error).message}`, { cause })
  }
}

/** Compresses a stream. Level 1 of Zstandard halves the hexadecimal bytes of a table at the speed of a disk. */
export function pack(source: Readable): Readable {
  // Unlike `pipe`, it passes a failure of the source on, and closes the source when the reader stops.
  return pipeline(source, createZstdCompress(), () => {})
}

/** Decompresses a stream. @throws BackupError if it is none that was compressed */
export async function* unpack(source: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array, void, void> {
  const input = Readable.from(source, { objectMode: false })
  const unpacker = createZstdDecompress()
  input.on('error', (error) => unpacker.destroy(error))
  try {
    yield* input.pipe(unpacker)
  } catch (error) {
    if (error instanceof BackupError || !String((error as NodeJS.ErrnoException).code).startsWith('ZSTD')) throw error
    throw new BackupError(`${name} is damaged: it cannot be decompressed`)
  } finally {
    input.destroy()
    unpacker.destroy()
  }
}

/** Removed snapshots, and the number of stored files that no other names. */
export type Pruned = { snapshots: string[]; files: number }

/**
 * Removes the oldest snapshots, and then the stored files that none of the others names. Never removes `newest`.
 * Removes no file if an inventory cannot be read.
 * @throws BackupError
 */
export async function pruneSnapshots(
  folder: BackupFolder,
  { keep, newest, scratch }: { keep: number; newest: string; scratch: string },
): Promise<Pruned> {
  const names = (await listSnapshots(folder)).map(({ name }) => name).filter((name) => name !== newest)
  const removed = names.slice(0, Math.max(0, names.length - (keep - 1)))
  const kept = [...names.slice(removed.length), newest]
  using used = await usedFiles(folder, kept, scratch)
  for (const name of removed) await removeSnapshot(folder, name)
  return { snapshots: removed, files: await removeUnused(folder, used.has) }
}

/** Collects the names of the files that snapshots need. In a file, because there may be millions. */
async function usedFiles(folder: BackupFolder, snapshots: readonly string[], scratch: string) {
  const names = new DatabaseSync(join(scratch, 'used.sqlite'))
  names.exec(
    'pragma journal_mode = off; pragma synchronous = off; create table used (name text primary key) without rowid',
  )
  const add = names.prepare('insert into used values (?) on conflict do nothing')
  const find = names.prepare('select 1 from used where name = ?')
  for (const snapshot of snapshots) {
    const manifest = await readManifest(folder, snapshot)
    const inventory = await openInventory(folder, snapshot, manifest, join(scratch, 'kept.sqlite'))
    for (const page of inventory.pages())
      for (const { key, sha256 } of page) {
        add.run(folder.blobName(key))
        if (sha256 !== null) add.run(displacedName(folder, key, sha256))
      }
    inventory.close()
  }
  return { has: (name: string) => find.get(name) !== undefined, [Symbol.dispose]: () => names.close() }
}

async function removeUnused(folder: BackupFolder, isUsed: (name: string) => boolean): Promise<number> {
  let removed = 0
  for (const group of await folder.list(BLOBS)) {
    for (const rest of await folder.list(`${BLOBS}/${group}`)) {
      const name = `${BLOBS}/${group}/${rest}`
      if (isUsed(name)) continue
      await folder.remove(name)
      removed++
    }
  }
  return removed
}
