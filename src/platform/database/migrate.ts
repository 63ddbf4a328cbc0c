import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from './database.ts'

/** One step of the schema. It runs once, inside the transaction of the whole upgrade. */
export type Migration = { up(db: Kysely<unknown>): Promise<void> }

/**
 * Runs the migrations that have not run yet, in the order of their names and in one transaction. Processes that start at
 * once wait for each other. Throws without changing anything if a newer version of the program has used the database.
 * @param migrations by name, such as `0001-create-tracks`; a name never changes once released
 */
export async function migrate<Tables>(
  database: Database<Tables>,
  migrations: Record<string, Migration>,
): Promise<void> {
  const names = Object.keys(migrations).sort()
  await database.exclusively(async (transaction) => {
    const db = transaction as unknown as Transaction<unknown>
    const applied = await appliedMigrations(db)
    requireKnown(applied, names)
    for (const name of names.slice(applied.length)) {
      await migrations[name].up(db)
      await sql`insert into migrations (name, applied_at_ms) values (${name}, ${Date.now()})`.execute(db)
    }
  })
}

async function appliedMigrations(db: Kysely<unknown>): Promise<string[]> {
  await sql`create table if not exists migrations (name text primary key, applied_at_ms bigint not null)`.execute(db)
  const { rows } = await sql<{ name: string }>`select name from migrations`.execute(db)
  return rows.map((row) => row.name).sort()
}

/** Requires that the applied migrations are the first of the known ones. Otherwise, another version made the database. */
function requireKnown(applied: string[], known: string[]): void {
  const newest = applied.at(-1)
  if (newest === undefined || applied.every((name, index) => name === known[index])) return
  const unknown = applied.filter((name) => !known.includes(name))
  if (unknown.length === 0) throw new Error(`The database lacks a migration that precedes ${newest}`)
  throw new Error(
    `The database is at version ${newest}, newer than this program, which knows versions up to ${known.at(-1) ?? 'none'}. ` +
      'Start the newer program again, or restore a backup made before the upgrade.',
  )
}
