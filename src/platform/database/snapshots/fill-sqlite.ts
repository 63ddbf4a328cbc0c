import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Database } from '../database.ts'
import { type Migration, migrate } from '../migrate.ts'
import { connectSqlite } from '../sqlite/connect-sqlite.ts'
import { type ColumnKind, decodeCopyRows } from './copy-text.ts'
import type { SnapshotTable } from './snapshot.ts'
import { describeTables, quoteName } from './sqlite-snapshot.ts'
import { migrationsUntil, requireSameColumns, requireSameRows } from './stored-version.ts'
import type { TableTexts } from './table-texts.ts'

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
