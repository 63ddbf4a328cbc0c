import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Migration } from '../migrate.ts'
import { migrateSqlite } from './fill-sqlite.ts'

/** Tables of SQLite itself, for which no program has a statement. */
const OWN_TABLES = ['sqlite_sequence', 'sqlite_stat1', 'sqlite_stat4']

/**
 * Requires that a SQLite file has the schema that migrations make, and nothing besides: a trigger or a view that
 * somebody else has put there would run with every statement that touches its table.
 * @throws Error that names what differs
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

/** Reads the statements of a schema, by the kind and name of what they made. */
function readSchema(file: string): Map<string, string> {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const rows = database.prepare('select type, name, tbl_name, sql from sqlite_master').all()
    // The index of a primary key has no statement; the one of its table has it.
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
