import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { connectSqlite } from '../connect-sqlite.ts'
import type { Database } from '../database.ts'
import { type Migration, migrate } from '../migrate.ts'
import { migrationsUntil, requireSameColumns, requireSameRows, type SnapshotTable } from './snapshot.ts'
import { describeTables, quoteName } from './sqlite-snapshot.ts'
import { type ColumnKind, decodeCopyRows, type TableTexts } from './table-texts.ts'

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
