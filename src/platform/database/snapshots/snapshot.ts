import type { Readable } from 'node:stream'
import type { Kysely } from 'kysely'
import { type Migration, presentNames } from '../migrate.ts'

/** A table at the time of a snapshot. */
export type SnapshotTable = { name: string; columns: string[]; rows: number }

/** A file that a snapshot consists of: a whole SQLite database, or a table of PostgreSQL in the text format of COPY. */
export type SnapshotFile = {
  /** Name for people, such as `tracks.sqlite`. */
  name: string
  /** The one table in it; undefined if it has all. */
  table: string | undefined
  /** Reads the file. To be read to its end before anything else of the snapshot is. */
  read(): Promise<Readable>
}

/** A service's database as it was at one moment, while others go on writing. */
export type DatabaseSnapshot = {
  name: string
  /** Names of the applied migrations, in order. */
  migrations: string[]
  /** All tables except the table of migrations. */
  tables: SnapshotTable[]
  files: SnapshotFile[]
  /** Reads the database as it was. Nothing may be written. */
  db: Kysely<unknown>
}

/** Name of the table that `migrate` keeps, which a restored database gets by migrating. */
export const MIGRATIONS_TABLE = 'migrations'

type Tables = { name: string; tables: readonly SnapshotTable[] }

/**
 * Requires that a snapshot has the tables and columns of the schema it is for, in any order.
 * @throws Error that names one
 */
export function requireSameColumns(source: Tables, target: readonly SnapshotTable[]): void {
  const wanted = new Map(target.map((table) => [table.name, table]))
  for (const { name, columns } of source.tables) {
    const found = wanted.get(name)
    if (found === undefined) throw new Error(`${source.name} has no table ${name} in this version`)
    if (columns.toSorted().join() !== found.columns.toSorted().join())
      throw new Error(`${source.name}.${name} has other columns than its version has: ${columns.join(', ')}`)
    wanted.delete(name)
  }
  for (const name of wanted.keys()) throw new Error(`${source.name} lacks the table ${name}`)
}

/** Requires that tables have as many rows as they had. @throws Error that names one */
export function requireSameRows(source: Tables, target: readonly SnapshotTable[]): void {
  const counts = new Map(target.map(({ name, rows }) => [name, rows]))
  for (const { name, rows } of source.tables) {
    if (counts.get(name) !== rows)
      throw new Error(`${source.name}.${name} has ${counts.get(name)} rows in place of ${rows}`)
  }
}

/**
 * Returns the migrations that a stored database has had, by their names.
 * @throws Error if this program does not know them, or not in this order: a newer program has stored the database; or
 * one that had run only some of the migrations that have been replaced since
 */
export function migrationsUntil(
  migrations: Record<string, Migration>,
  { name, migrations: applied }: { name: string; migrations: readonly string[] },
): Record<string, Migration> {
  const known = Object.keys(migrations).sort()
  const names = presentNames(applied, migrations)
  const unknown = names.find((migration, index) => migration !== known[index])
  if (unknown !== undefined)
    throw new Error(
      `The database ${name} is at version ${applied.at(-1)}, and this program knows versions up to ${known.at(-1)}. ` +
        'Restore it with the program that stored it, or a newer one',
    )
  return Object.fromEntries(names.map((migration) => [migration, migrations[migration]]))
}
