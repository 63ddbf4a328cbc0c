import { createReadStream, existsSync } from 'node:fs'
import { mkdtemp, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { connectSqlite } from './connect-sqlite.ts'
import type { Database } from './database.ts'
import { type Migration, migrate } from './migrate.ts'
import {
  type ColumnKind,
  type DatabaseSnapshot,
  decodeCopyRows,
  MIGRATIONS_TABLE,
  migrationsUntil,
  quoteName,
  requireSameColumns,
  requireSameRows,
  type SnapshotTable,
  type TableTexts,
} from './snapshot.ts'

/** Pages copied at a time, 4 MiB. */
const PAGES_PER_STEP = 1_024
/** Wait for a lock, which another process holds only while it recovers or removes the log. */
const BUSY_TIMEOUT_MS = 10_000
/** Space that a copy leaves to the running server on the disk they share. */
const SPARE_BYTES = 268_435_456
const READ_BYTES = 1_048_576

/**
 * Copies the databases of a data folder one after the other, each as it is at one moment, and
 * passes the copy on. Copies are made in `scratch` by the online backup of SQLite and removed
 * afterwards. Names without a database are left out.
 */
export async function eachSqliteSnapshot(
  { dataDir, scratch, names }: { dataDir: string; scratch: string; names: readonly string[] },
  use: (snapshot: DatabaseSnapshot) => Promise<void>,
): Promise<void> {
  for (const name of names) {
    const file = join(dataDir, `${name}.sqlite`)
    if (!existsSync(file)) continue
    const copy = join(scratch, `${name}.sqlite`)
    await requireSpace(file, scratch)
    await copySqlite(file, copy)
    try {
      await passCopyOn(name, scratch, use)
    } finally {
      for (const suffix of ['', '-wal', '-shm']) await rm(`${copy}${suffix}`, { force: true })
    }
  }
}

/**
 * Copies a database that others are writing to. The transaction pins one moment: without it, SQLite
 * would begin again each time another process writes between two steps, and perhaps never end. Others
 * go on writing meanwhile; their log grows.
 */
async function copySqlite(file: string, copy: string): Promise<void> {
  // Opened for writing, because only such a connection can recover the log of a killed process.
  const source = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS })
  try {
    source.exec('pragma query_only = on; begin')
    source.prepare('select count(*) from sqlite_master').get()
    await backup(source, copy, { rate: PAGES_PER_STEP })
    source.exec('commit')
  } finally {
    source.close()
  }
}

/**
 * A disk that the copy fills would stop the server.
 * @throws Error that states the needed space
 */
async function requireSpace(file: string, scratch: string): Promise<void> {
  const { bavail, bsize } = await statfs(scratch)
  const neededBytes = (await stat(file)).size + SPARE_BYTES
  if (bavail * bsize >= neededBytes) return
  throw new Error(
    `A copy of ${file} is made in the same folder for a moment, which needs ${neededBytes} bytes of free space; ` +
      `there are ${bavail * bsize}`,
  )
}

async function passCopyOn(name: string, folder: string, use: (snapshot: DatabaseSnapshot) => Promise<void>) {
  const database: Database = await connectSqlite(join(folder, `${name}.sqlite`))
  try {
    const tables = describeTables(join(folder, `${name}.sqlite`))
    if (tables === undefined) return
    await use({
      name,
      ...tables,
      db: database.db,
      files: [
        {
          name: `${name}.sqlite`,
          table: undefined,
          read: async () => createReadStream(join(folder, `${name}.sqlite`), { highWaterMark: READ_BYTES }),
        },
      ],
    })
  } finally {
    await database.close()
  }
}

/** Describes the tables of a database; undefined if it was never migrated. */
export function describeTables(file: string) {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const names = tableNames(database)
    if (!names.includes(MIGRATIONS_TABLE)) return undefined
    const migrations = database.prepare(`select name from ${MIGRATIONS_TABLE} order by name`).all()
    return {
      migrations: migrations.map(({ name }) => String(name)),
      tables: names.filter((name) => name !== MIGRATIONS_TABLE).map((name) => describeTable(database, name)),
    }
  } finally {
    database.close()
  }
}

function tableNames(database: DatabaseSync): string[] {
  const rows = database
    .prepare(
      "select name from sqlite_master where type = 'table' and name not like 'sqlite~_%' escape '~' order by name",
    )
    .all()
  return rows.map(({ name }) => String(name))
}

function describeTable(database: DatabaseSync, name: string): SnapshotTable {
  const table = quoteName(name)
  const columns = database.prepare('select name from pragma_table_info(?) order by cid').all(name)
  const [{ rows }] = database.prepare(`select count(*) as rows from ${table}`).all()
  return { name, columns: columns.map((column) => String(column.name)), rows: Number(rows) }
}

/** Kinds by the names of types in our schemas. */
const KINDS: Record<string, ColumnKind> = {
  text: 'text',
  integer: 'whole',
  bigint: 'whole',
  'double precision': 'double',
  blob: 'bytes',
}

/**
 * Creates a SQLite file in a folder from texts of tables, as they were: at the version of the program that stored them.
 */
export async function fillSqlite(
  folder: string,
  source: TableTexts,
  migrations: Record<string, Migration>,
): Promise<void> {
  await migrateSqlite(folder, source.name, migrationsUntil(migrations, source))
  const file = join(folder, `${source.name}.sqlite`)
  const found = describeTables(file)!
  requireSameColumns(source, found.tables)
  const database = new DatabaseSync(file)
  try {
    database.exec('pragma synchronous = full; pragma foreign_keys = off; begin')
    for (const table of source.tables) await fillTable(database, source, table)
    database.exec('commit')
  } finally {
    database.close()
  }
  requireSameRows(source, describeTables(file)!.tables)
}

async function fillTable(database: DatabaseSync, source: TableTexts, table: SnapshotTable): Promise<void> {
  const name = quoteName(table.name)
  const kinds = columnKinds(database, table)
  const columns = table.columns.map(quoteName).join(', ')
  const insert = database.prepare(`insert into ${name} (${columns}) values (${kinds.map(() => '?').join(', ')})`)
  database.exec(`delete from ${name}`)
  try {
    for await (const values of decodeCopyRows(source.text(table), kinds)) insert.run(...values)
  } catch (cause) {
    throw new Error(`${source.name}.${table.name}: ${(cause as Error).message}`, { cause })
  }
}

function columnKinds(database: DatabaseSync, { name, columns }: SnapshotTable): ColumnKind[] {
  const found = database.prepare('select name, type from pragma_table_info(?)').all(name)
  const types = new Map(found.map((column) => [String(column.name), String(column.type).toLowerCase()]))
  return columns.map((column) => {
    const kind = KINDS[types.get(column) ?? '']
    if (kind === undefined) throw new Error(`${name}.${column} has a type that cannot be filled`)
    return kind
  })
}

/**
 * Applies migrations to a SQLite file in a folder, which need not exist, and closes it: all of it is in the one file.
 */
export async function migrateSqlite(
  folder: string,
  name: string,
  migrations: Record<string, Migration>,
  then: (database: Database) => Promise<void> = async () => {},
): Promise<void> {
  const database: Database = await connectSqlite(join(folder, `${name}.sqlite`))
  try {
    await migrate(database, migrations)
    await then(database)
  } finally {
    await database.close()
  }
}

/** Tables of SQLite itself, for which no program has a statement. */
const OWN_TABLES = ['sqlite_sequence', 'sqlite_stat1', 'sqlite_stat4']

/**
 * Requires that a SQLite file has the schema that migrations make, and nothing besides: a foreign trigger or view would
 * run with every statement that touches its table.
 * @throws Error that names the difference
 */
export async function requireOwnSchema(
  file: string,
  { name, migrations }: { name: string; migrations: Record<string, Migration> },
  scratch: string,
): Promise<void> {
  const folder = await mkdtemp(join(scratch, 'schema-'))
  try {
    await migrateSqlite(folder, name, migrations)
    const wanted = readSchema(join(folder, `${name}.sqlite`))
    const found = readSchema(file)
    for (const [what, sql] of found) {
      if (!wanted.has(what)) throw new Error(`${name} has the ${what}, which this program has not made`)
      if (wanted.get(what) !== sql) throw new Error(`${name} has another ${what} than this program makes`)
    }
    const lacking = [...wanted.keys()].find((what) => !found.has(what))
    if (lacking !== undefined) throw new Error(`${name} lacks the ${lacking}`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Reads the statements of a schema, by kind and name. */
function readSchema(file: string): Map<string, string> {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const rows = database.prepare('select type, name, tbl_name, sql from sqlite_master').all()
    // The index of a primary key has no statement of its own; its table has it.
    const isOwn = ({ type, name, sql }: (typeof rows)[number]) =>
      (type === 'index' && sql === null) || (type === 'table' && OWN_TABLES.includes(String(name)))
    const made = rows.filter((row) => !isOwn(row))
    return new Map(
      made.map((row) => [`${row.type} ${row.name}`, `${row.tbl_name} ${String(row.sql).replaceAll(/\s+/g, ' ')}`]),
    )
  } finally {
    database.close()
  }
}
