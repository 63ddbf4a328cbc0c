import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from './database.ts'

/** One step of the schema. It runs once, inside the transaction of the whole upgrade. */
export type Migration = { up(db: Kysely<unknown>): Promise<void> }

/** The program that runs migrations, and the work around an upgrade. */
export type UpgradeOptions = {
  /** Version of this program, recorded with each migration that it runs. */
  programVersion?: string
  /** Called under the lock before a database that has been used is changed, with the version of the program before. */
  beforeUpgrade?(fromVersion: string): Promise<void>
  /** Returns the copies that were made before upgrades, oldest first, for those who want the older program back. */
  findCopies?(): Promise<readonly string[]>
}

type Applied = { name: string; program_version?: string | null }

/** The state before the first release that did not record itself. All later ones do, with their build. */
const FIRST_VERSION = '0.1.0'

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
  const names = Object.keys(migrations).sort()
  await database.exclusively(async (transaction) => {
    const db = transaction as unknown as Transaction<unknown>
    const applied = await appliedMigrations(db)
    await requireKnown(applied, names, options)
    const pending = names.slice(applied.length)
    if (pending.length === 0) return
    if (applied.length > 0) {
      if (beforeUpgrade !== undefined) await keptOpen(db, () => beforeUpgrade(versionOf(applied)))
      await addProgramVersion(db, applied)
    }
    for (const name of pending) {
      await migrations[name].up(db)
      await sql`
        insert into migrations (name, applied_at_ms, program_version)
        values (${name}, ${Date.now()}, ${programVersion})`.execute(db)
    }
  })
}

async function appliedMigrations(db: Kysely<unknown>): Promise<Applied[]> {
  await sql`
    create table if not exists migrations
    (name text primary key, applied_at_ms bigint not null, program_version text)`.execute(db)
  const { rows } = await sql<Applied>`select * from migrations`.execute(db)
  return rows.sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Adds the column that the first state of the program did not have. */
async function addProgramVersion(db: Kysely<unknown>, [first]: readonly Applied[]): Promise<void> {
  if (!('program_version' in first)) await sql`alter table migrations add column program_version text`.execute(db)
}

/** The version of the program that ran the latest migration. */
function versionOf(applied: readonly Applied[]): string {
  return applied.at(-1)?.program_version ?? FIRST_VERSION
}

async function keptOpen(db: Kysely<unknown>, work: () => Promise<void>): Promise<void> {
  const timer = setInterval(() => sql`select 1`.execute(db).catch(() => {}), KEEP_OPEN_EVERY_MS)
  await work().finally(() => clearInterval(timer))
}

/**
 * Requires that the applied migrations are the first of the known ones. Otherwise, another version made the database.
 */
async function requireKnown(applied: readonly Applied[], known: string[], options: UpgradeOptions): Promise<void> {
  const newest = applied.at(-1)
  if (newest === undefined || applied.every(({ name }, index) => name === known[index])) return
  const unknown = applied.filter(({ name }) => !known.includes(name))
  if (unknown.length === 0) throw new Error(`The database lacks a migration that precedes ${newest.name}`)
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
