import { type Kysely, PostgresAdapter, type RawBuilder, sql, type Transaction } from 'kysely'
import { ticking } from '../basics/timers.ts'
import type { Database } from './database.ts'

/** One step of the schema. It runs once, inside the transaction of the whole upgrade. */
export type Migration = {
  up(db: Kysely<unknown>): Promise<void>
  /** Former steps that make the same schema: a database that has had all of them has had this one. */
  replaces?: {
    names: readonly string[]
    /** The last version of the program that runs them, in words. */
    lastVersion: string
  }
}

/** The program that runs migrations, and the work around an upgrade. */
export type UpgradeOptions = {
  /** Version of this program, recorded with each migration that it runs. */
  programVersion?: string
  /** Called under the lock before a database that has been used is changed, with the version of the program before. */
  beforeUpgrade?(fromVersion: string): Promise<void>
  /** Returns the copies that were made before upgrades, oldest first, for a return to the older program. */
  findCopies?(): Promise<readonly string[]>
}

type Applied = { name: string; program_version: string | null }

/** Stands for the version of a database that was restored from a backup, which has no record of it. */
const UNKNOWN_VERSION = 'unknown'

/**
 * Interval of statements that keep the transaction open while a copy is made;
 * SQLite's writer ends idle ones after 10 s.
 */
const KEEP_OPEN_EVERY_MS = 2_000

/**
 * Runs the migrations that have not run yet, in the order of their names and in one transaction.
 * Processes that start at once wait for each other. Throws without changing anything if a newer
 * version of the program has used the database.
 * @param migrations by name, such as `0001-create-tables`; a name never changes once released
 */
export async function migrate<Tables>(
  database: Pick<Database<Tables>, 'exclusively'>,
  migrations: Record<string, Migration>,
  options: UpgradeOptions = {},
): Promise<void> {
  const { programVersion = null, beforeUpgrade } = options
  const known = Object.keys(migrations).sort()
  await database.exclusively(async (transaction) => {
    const db = transaction as unknown as Transaction<unknown>
    const applied = await appliedMigrations(db)
    const names = applied.map(({ name }) => name)
    const standing = presentNames(names, migrations)
    await requireKnown(applied, standing, known, options)
    const pending = known.slice(standing.length)
    const replacing = standing.filter((name) => !names.includes(name))
    if (pending.length + replacing.length === 0) return
    if (applied.length > 0 && beforeUpgrade !== undefined) await keptOpen(db, () => beforeUpgrade(versionOf(applied)))
    for (const name of names) {
      if (!standing.includes(name)) await sql`delete from migrations where name = ${name}`.execute(db)
    }
    for (const name of pending) await migrations[name].up(db)
    for (const name of [...replacing, ...pending]) {
      await sql`
        insert into migrations (name, applied_at_ms, program_version)
        values (${name}, ${Date.now()}, ${programVersion})`.execute(db)
    }
  })
}

/**
 * Returns the names of the migrations that a database has had, with the present one in place of those that it replaces.
 * @throws Error if the database has had only some of those, which names the version that completes them
 */
export function presentNames(applied: readonly string[], migrations: Record<string, Migration>): string[] {
  const names = new Set(applied)
  for (const [present, { replaces }] of Object.entries(migrations)) {
    const former = replaces?.names.filter((name) => names.delete(name)) ?? []
    if (replaces === undefined || former.length === 0) continue
    if (former.length < replaces.names.length)
      throw new Error(
        `The database is at version ${former.at(-1)}, and this program needs ${replaces.names.at(-1)}. ` +
          `Start ${replaces.lastVersion} once, which brings it there. Nothing has been changed.`,
      )
    names.add(present)
  }
  return [...names].sort()
}

async function appliedMigrations(db: Kysely<unknown>): Promise<Applied[]> {
  await sql`
    create table if not exists migrations
    (name text primary key, applied_at_ms bigint not null, program_version text)`.execute(db)
  const { rows } = await sql<Applied>`select * from migrations`.execute(db)
  return rows.sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** The version of the program that ran the latest migration. */
function versionOf(applied: readonly Applied[]): string {
  return applied.at(-1)?.program_version ?? UNKNOWN_VERSION
}

async function keptOpen(db: Kysely<unknown>, work: () => Promise<void>): Promise<void> {
  const stop = ticking(KEEP_OPEN_EVERY_MS, () => void sql`select 1`.execute(db).catch(() => {}))
  await work().finally(stop)
}

/**
 * Requires that the applied migrations are the first of the known ones. Otherwise, another version made the database.
 */
async function requireKnown(
  applied: readonly Applied[],
  standing: readonly string[],
  known: readonly string[],
  options: UpgradeOptions,
): Promise<void> {
  const newest = applied.at(-1)
  if (newest === undefined || standing.every((name, index) => name === known[index])) return
  if (standing.every((name) => known.includes(name)))
    throw new Error(`The database lacks a migration that precedes ${newest.name}`)
  throw new Error(newerDatabase(newest, known.at(-1) ?? 'none', options.programVersion, await copiesOf(options)))
}

/** An older program may run where the copies cannot be read, and its message matters more than they do. */
async function copiesOf({ findCopies }: UpgradeOptions): Promise<readonly string[]> {
  return (await findCopies?.().catch(() => [])) ?? []
}

function newerDatabase(
  { name, program_version }: Applied,
  known: string,
  programVersion: string | undefined,
  copies: readonly string[],
): string {
  const writer = program_version == null ? 'a newer version of the program' : `Trackpress ${program_version}`
  const needed = program_version == null ? 'a newer version' : `Trackpress ${program_version} or newer`
  const own = programVersion === undefined ? 'this program' : `this program, version ${programVersion},`
  const copy = copies.at(-1)
  return (
    `The database was upgraded by ${writer} to ${name}, and ${own} knows versions up to ${known}. ` +
    `Start ${needed}. To go back to an older version, stop all instances and restore ` +
    (copy === undefined ? 'a backup made before the upgrade.' : `the copy made before the upgrade: ${copy}`)
  )
}

/**
 * Column type for bytes, the only type that the engines name differently. Migrations use it together with `text`,
 * `bigint` (whole numbers and milliseconds) and `double precision`, which mean the same on both.
 * SQLite loses the sign of zero in a column of doubles. Numbers whose sign of zero matters are stored as bytes.
 */
export function bytesType(db: Kysely<unknown>): RawBuilder<unknown> {
  return db.getExecutor().adapter instanceof PostgresAdapter ? sql`bytea` : sql`blob`
}

/** A table whose rows stay as they were written, until they are older than its retention. */
type AppendOnlyTable = {
  table: string
  /** Column of whole numbers that grows with every row. */
  position: string
  /** Column with the time of a row, in milliseconds since 1970. */
  time: string
  /** Table with one row, whose column `keep_ms` says how long rows are kept; 0 keeps them for ever. */
  retention: string
}

/**
 * Makes the database itself refuse to change rows of a table, and to delete rows within the retention; for migrations.
 * Such statements fail on both engines, even from other programs. Only a user who may change the schema can lift it.
 */
export async function makeAppendOnly(db: Kysely<unknown>, names: AppendOnlyTable): Promise<void> {
  const statements =
    db.getExecutor().adapter instanceof PostgresAdapter ? postgresTriggers(names) : sqliteTriggers(names)
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/** Without the last trigger, `insert or replace` would exchange a row: SQLite then runs no trigger for the deletion. */
function sqliteTriggers({ table, position, time, retention }: AppendOnlyTable): string[] {
  const refuse = `begin select raise(abort, '${table} is append-only'); end`
  return [
    `create trigger ${table}_refuses_updates before update on ${table} ${refuse}`,
    `create trigger ${table}_refuses_deletions before delete on ${table}
      when not exists (select 1 from ${retention}
        where keep_ms > 0 and old.${time} < cast(unixepoch('subsec') * 1000 as integer) - keep_ms) ${refuse}`,
    `create trigger ${table}_refuses_replacements before insert on ${table}
      when exists (select 1 from ${table} where ${position} = new.${position}) ${refuse}`,
  ]
}

/** The function keeps the search path of the migration, so that it also finds the table in a restored database. */
function postgresTriggers({ table, time, retention }: AppendOnlyTable): string[] {
  const name = `${table}_is_append_only`
  return [
    `create function ${name}() returns trigger language plpgsql set search_path from current as $$
    begin
      if tg_op = 'DELETE' then
        if exists (select 1 from ${retention} where keep_ms > 0
          and old.${time} < (extract(epoch from clock_timestamp()) * 1000)::bigint - keep_ms) then
          return old;
        end if;
      end if;
      raise exception '${table} is append-only' using errcode = 'restrict_violation';
    end $$`,
    `create trigger ${table}_refuses_changes before update or delete on ${table}
      for each row execute function ${name}()`,
    `create trigger ${table}_refuses_truncation before truncate on ${table}
      for each statement execute function ${name}()`,
  ]
}
