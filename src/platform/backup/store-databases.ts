import type { Readable } from 'node:stream'
import { type DatabaseSnapshot, migrationsUntil, type SnapshotFile } from '../database/snapshots/snapshot.ts'
import { eachSqliteSnapshot } from '../database/snapshots/sqlite-snapshot.ts'
import type { BackupFolder } from './backup-folder.ts'
import { type Inventory, pack } from './inventory.ts'
import type { Installation, KeptData } from './kept-data.ts'
import { type ManifestDatabase, type ManifestFile, snapshotPath } from './manifest.ts'
import { BackupError } from './sealed-stream.ts'

type Work = { folder: BackupFolder; snapshot: string; scratch: string; inventory: Inventory }

/**
 * Writes all databases of an installation into a snapshot, each as it is at one moment, and notes the stored files that
 * their rows name.
 * @throws BackupError if there is none, or one that a newer program has migrated
 */
export async function storeDatabases(
  { databaseUrl, dataDir, kept, say }: Installation,
  work: Work,
): Promise<{ engine: SnapshotEngine; databases: ManifestDatabase[] }> {
  const databases: ManifestDatabase[] = []
  const names = kept.map(({ name }) => name)
  const engine = await eachSnapshot({ url: databaseUrl, dataDir, names, scratch: work.scratch }, async (snapshot) => {
    say(`Copying the database ${snapshot.name}`)
    const data = kept.find(({ name }) => name === snapshot.name)!
    migrationsUntil(data.migrations, snapshot)
    await noteBlobs(data, snapshot, work.inventory)
    const files: ManifestDatabase['files'] = []
    for (const file of snapshot.files)
      files.push({ ...(await storeFile(work, file, databases, files.length)), table: file.table ?? null })
    const { name, migrations, tables } = snapshot
    databases.push({ name, migrations, tables, files })
  })
  if (databases.length === 0) throw new BackupError('There is nothing to back up: the installation has no database')
  return { engine, databases }
}

async function noteBlobs({ blobs }: KeptData, { db, tables }: DatabaseSnapshot, inventory: Inventory): Promise<void> {
  for (const [table, named] of Object.entries(blobs)) {
    if (!tables.some(({ name }) => name === table)) continue
    // An earlier backup may have copied the file when it was whole.
    for await (const { key, size, sha256, isSumFound } of named(db))
      inventory.add({ key, path: null, size, sha256: isSumFound === true ? null : (sha256 ?? null) })
  }
}

/** Tables of PostgreSQL are packed: their bytes are in hexadecimal. Most of a SQLite file is compressed as it is. */
async function storeFile(
  { folder, snapshot }: Work,
  { name, table, read }: SnapshotFile,
  before: readonly ManifestDatabase[],
  position: number,
): Promise<ManifestFile> {
  const isPacked = table !== undefined
  // Encrypted files have numbers for names, which do not tell the tables that they hold.
  const number = before.reduce((count, { files }) => count + files.length, position)
  const file = folder.isSealed ? `database-${number}` : isPacked ? `${name}.zst` : name
  const source: Readable = await read()
  const written = await folder.write(snapshotPath(snapshot, file), isPacked ? pack(source) : source)
  return { file, ...written }
}

type Options = {
  /** `postgres://…`, or empty for SQLite in `dataDir`. */
  url: string
  dataDir: string
  /** Names of the databases. Databases that do not exist are left out. */
  names: readonly string[]
  /** Existing folder on a disk with room for the largest SQLite file. */
  scratch: string
}

/** Engines by which the file of a snapshot is to be read. */
type SnapshotEngine = 'PostgreSQL' | 'SQLite'

/**
 * Passes on databases as they are at one moment, one after the other, while others go on writing. On
 * PostgreSQL, it is the same moment for all.
 * @returns the engine
 */
async function eachSnapshot(
  { url, dataDir, names, scratch }: Options,
  use: (snapshot: DatabaseSnapshot) => Promise<void>,
): Promise<SnapshotEngine> {
  if (url === '') {
    await eachSqliteSnapshot({ dataDir, names, scratch }, use)
    return 'SQLite'
  }
  const { eachPostgresSnapshot } = await import('../database/snapshots/postgres-snapshot.ts')
  await eachPostgresSnapshot({ url, names }, use)
  return 'PostgreSQL'
}
