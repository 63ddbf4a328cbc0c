import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Readable } from 'node:stream'
import { sql } from 'kysely'
import { syncFolder } from '../blobs/folder-tree.ts'
import type { Database } from '../database/database.ts'
import type { Migration } from '../database/migrate.ts'
import {
  type DatabaseSnapshot,
  migrationsUntil,
  requireSameColumns,
  requireSameRows,
  type SnapshotFile,
  type TableTexts,
  textsOfSqlite,
} from '../database/snapshot.ts'
import {
  describeTables,
  eachSqliteSnapshot,
  fillSqlite,
  migrateSqlite,
  requireOwnSchema,
} from '../database/sqlite-snapshot.ts'
import { type BackupFolder, copyOut } from './backup-folder.ts'
import { type Inventory, pack, unpack } from './inventory.ts'
import type { Installation, KeptData } from './kept-data.ts'
import { type Manifest, type ManifestDatabase, type ManifestFile, snapshotPath } from './manifest.ts'
import { BackupError } from './sealed-stream.ts'
import type { BegunRestore } from './unfinished-restore.ts'

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
  const { eachPostgresSnapshot } = await import('../database/postgres-snapshot.ts')
  await eachPostgresSnapshot({ url, names }, use)
  return 'PostgreSQL'
}

/** A stored database, and the description of its service. */
type Part = StoredDatabase & { data: KeptData }

/**
 * Requires that this program knows the databases of a snapshot, and their versions.
 * @throws BackupError that names the first unknown one
 */
export function partsOf(
  installation: Installation,
  folder: BackupFolder,
  snapshot: string,
  manifest: Manifest,
): Part[] {
  return manifest.databases.map((database) => {
    const data = installation.kept.find(({ name }) => name === database.name)
    if (data === undefined)
      throw new BackupError(`${snapshot} has a database ${database.name}, which this program does not know`)
    try {
      migrationsUntil(data.migrations, database)
    } catch (cause) {
      throw new BackupError((cause as Error).message, { cause })
    }
    return { folder, snapshot, database, data }
  })
}

/** Fills the SQLite files of an installation, migrated to this version. They get their names when all are whole. */
export async function restoreToSqlite(
  dataDir: string,
  parts: readonly Part[],
  engine: Manifest['engine'],
  { staging }: BegunRestore,
): Promise<void> {
  for (const { data, ...stored } of parts) {
    if (engine === 'SQLite') await copyStoredSqlite(stored, data.migrations, staging)
    else await fillSqlite(staging, storedTexts(stored, engine, staging), data.migrations)
    await migrateSqlite(staging, data.name, data.migrations, async ({ db }) => {
      for (const table of data.endedByRestore) await sql`delete from ${sql.table(table)}`.execute(db)
    })
    await syncFile(join(staging, `${data.name}.sqlite`))
  }
  for (const { data } of parts) {
    const file = join(dataDir, `${data.name}.sqlite`)
    // A former attempt may have come this far. Nothing has used its files, because a server does not start meanwhile.
    for (const suffix of ['-wal', '-shm']) await rm(`${file}${suffix}`, { force: true })
    await rename(join(staging, `${data.name}.sqlite`), file)
  }
  await syncFolder(dataDir)
}

/** Fills the schemas of an installation, migrated to this version, all in one transaction. */
export async function restoreToPostgres(
  url: string,
  parts: readonly Part[],
  engine: Manifest['engine'],
  { staging, id }: BegunRestore,
): Promise<void> {
  const { fillPostgres } = await import('../database/postgres-snapshot.ts')
  if (engine === 'SQLite')
    for (const { data, ...stored } of parts) await copyStoredSqlite(stored, data.migrations, staging)
  const databases = parts.map(({ data, ...stored }) => ({
    source: storedTexts(stored, engine, staging),
    migrations: data.migrations,
    emptied: data.endedByRestore,
  }))
  await fillPostgres(url, databases, markOf(id))
}

/** Returns the text by which a database server remembers the restore that made a schema. */
export function markOf(id: string): string {
  return `restored by ${id}`
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r')
  await file.sync().finally(() => file.close())
}

/** A database in a snapshot, and where to read it. */
type StoredDatabase = { folder: BackupFolder; snapshot: string; database: ManifestDatabase }

/**
 * Copies a whole SQLite file out of a snapshot, to its name in `target`.
 * @throws BackupError if it is damaged, not the database that the manifest describes, or has more than its migrations
 * make
 */
async function copyStoredSqlite(
  { folder, snapshot, database }: StoredDatabase,
  knownMigrations: Record<string, Migration>,
  target: string,
): Promise<void> {
  const { name, files, migrations } = database
  if (files.length !== 1)
    throw new BackupError(`${snapshot} has ${files.length} files of the database ${name}, not one`)
  const path = join(target, `${name}.sqlite`)
  await copyOut(folder.readWritten(snapshotPath(snapshot, files[0].file), files[0]), path)
  try {
    const found = describeTables(path)
    if (found === undefined) throw new Error(`${name} is not a database of this program`)
    if (found.migrations.join() !== migrations.join())
      throw new Error(`${name} has other migrations than the manifest says`)
    requireSameColumns(database, found.tables)
    requireSameRows(database, found.tables)
    await requireOwnSchema(path, { name, migrations: migrationsUntil(knownMigrations, database) }, target)
  } catch (cause) {
    throw new BackupError(`${snapshotPath(snapshot, files[0].file)} is damaged: ${(cause as Error).message}`, { cause })
  }
}

/** Reads the tables of a snapshot as texts. Of SQLite, from the file in `copied`. */
function storedTexts(
  { folder, snapshot, database }: StoredDatabase,
  engine: Manifest['engine'],
  copied: string,
): TableTexts {
  if (engine === 'SQLite') return textsOfSqlite(join(copied, `${database.name}.sqlite`), database)
  return {
    ...database,
    text({ name }) {
      const file = database.files.find(({ table }) => table === name)
      if (file === undefined) throw new BackupError(`${snapshot} has no file of the table ${database.name}.${name}`)
      const path = snapshotPath(snapshot, file.file)
      return unpack(folder.readWritten(path, file), path)
    },
  }
}

/**
 * Fills a temporary SQLite file in `scratch` with a database of a snapshot, as a restore would, has SQLite check it,
 * migrates it to this version, and passes it on.
 * @throws BackupError if it cannot be filled, and the errors of migrations and `use`
 */
export async function withStoredCopy(
  { data, ...stored }: Part,
  engine: Manifest['engine'],
  scratch: string,
  use: (database: Database) => Promise<void>,
): Promise<void> {
  try {
    await fill(stored, engine, data, scratch).catch(fail)
    await migrateSqlite(scratch, data.name, data.migrations, use)
  } finally {
    for (const suffix of ['', '-wal', '-shm']) await rm(join(scratch, `${data.name}.sqlite${suffix}`), { force: true })
  }
}

function fail(cause: Error): never {
  throw cause instanceof BackupError ? cause : new BackupError(cause.message, { cause })
}

async function fill(
  stored: StoredDatabase,
  engine: Manifest['engine'],
  { name, migrations }: KeptData,
  scratch: string,
) {
  if (engine === 'PostgreSQL') return await fillSqlite(scratch, storedTexts(stored, engine, scratch), migrations)
  await copyStoredSqlite(stored, migrations, scratch)
  const database = new DatabaseSync(join(scratch, `${name}.sqlite`), { readOnly: true })
  try {
    const findings = database
      .prepare('pragma integrity_check(20)')
      .all()
      .map((row) => String(row.integrity_check))
    if (findings.join() !== 'ok') throw new Error(`${name} is damaged: ${findings.join('; ')}`)
  } finally {
    database.close()
  }
}
