import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Kysely, PostgresDialect, type PostgresPoolClient, type Transaction } from 'kysely'
import { Client } from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { translateFailure } from './database-failure.ts'
import { type Migration, migrate } from './migrate.ts'
import { postgresConfig } from './postgres-pool.ts'
import {
  type DatabaseSnapshot,
  MIGRATIONS_TABLE,
  migrationsUntil,
  quoteName,
  requireSameColumns,
  requireSameRows,
  type SnapshotTable,
  type TableTexts,
} from './snapshot.ts'

/**
 * Reads the schemas of a database as they are at one moment, all at the same, and passes on one after the other. Names
 * without a schema are left out.
 * @throws Error on Citus, whose machines have no moment in common
 */
export async function eachPostgresSnapshot(
  { url, names }: { url: string; names: readonly string[] },
  use: (snapshot: DatabaseSnapshot) => Promise<void>,
): Promise<void> {
  await withPostgresClient(url, async (client) => {
    await requireOneMachine(client)
    await beginAtRest(client, names)
    for (const name of names) {
      const tables = await describeSchema(client, name)
      if (tables === undefined) continue
      await client.query(`set local search_path = ${quoteName(name)}`)
      await use({
        name,
        ...tables,
        db: kyselyOn(client),
        files: tables.tables.map((table) => ({
          name: `${name}.${table.name}.copy`,
          table: table.name,
          read: async () => client.query(copyTo(`copy (${selectAll(name, table)}) to stdout`)),
        })),
      })
    }
    await client.query('commit')
  })
}

async function requireOneMachine(client: Client): Promise<void> {
  const { rows } = await client.query("select from pg_extension where extname = 'citus'")
  if (rows.length === 0) return
  const spread = await client.query('select from pg_dist_node where groupid <> 0')
  if (spread.rows.length > 0)
    throw new Error('The tables may be spread over a Citus cluster, which has no snapshot of all its machines')
}

/**
 * Begins the transaction between migrations: a snapshot taken before a table is rewritten, and read afterwards, would
 * show the table empty. The locks of the tables hold up a migration that begins later, and nothing else.
 */
async function beginAtRest(client: Client, names: readonly string[]): Promise<void> {
  const locks = names.map((name) => `schema ${name}`)
  for (const lock of locks) await client.query('select pg_advisory_lock_shared(hashtextextended($1, 0))', [lock])
  await client.query('begin isolation level repeatable read read only')
  await client.query('set local idle_in_transaction_session_timeout = 0')
  await client.query("set local bytea_output = 'hex'")
  for (const name of names) {
    const tables = await schemaTables(client, name)
    for (const table of tables)
      await client.query(`lock table ${quoteName(name)}.${quoteName(table)} in access share mode`)
  }
  for (const lock of locks) await client.query('select pg_advisory_unlock_shared(hashtextextended($1, 0))', [lock])
}

/** Returns the tables of a schema by name, without tables of extensions. */
async function schemaTables(client: Client, schema: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = $1 and c.relkind in ('r', 'p')
       and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
     order by c.relname`,
    [schema],
  )
  return rows.map(({ name }) => name)
}

async function describeSchema(client: Client, schema: string) {
  const names = await schemaTables(client, schema)
  if (!names.includes(MIGRATIONS_TABLE)) return undefined
  const { rows } = await client.query<{ name: string }>(
    `select name from ${quoteName(schema)}.${MIGRATIONS_TABLE} order by name collate "C"`,
  )
  const tables: SnapshotTable[] = []
  for (const name of names) if (name !== MIGRATIONS_TABLE) tables.push(await describeTable(client, schema, name))
  return { migrations: rows.map(({ name }) => name), tables }
}

async function describeTable(client: Client, schema: string, name: string): Promise<SnapshotTable> {
  const { rows } = await client.query<{ rows: number }>(
    `select count(*) as rows from ${quoteName(schema)}.${quoteName(name)}`,
  )
  return { name, columns: await tableColumns(client, schema, name), rows: rows[0].rows }
}

/** Returns the columns of a table in their order. */
async function tableColumns(client: Client, schema: string, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select a.attname as name from pg_attribute a
     where a.attrelid = to_regclass($1) and a.attnum > 0 and not a.attisdropped order by a.attnum`,
    [`${quoteName(schema)}.${quoteName(table)}`],
  )
  return rows.map(({ name }) => name)
}

function selectAll(schema: string, { name, columns }: SnapshotTable): string {
  return `select ${columns.map(quoteName).join(', ')} from ${quoteName(schema)}.${quoteName(name)}`
}

/** Connects to a database alone and without time limits, and disconnects after the work. Rejects as the work does. */
async function withPostgresClient<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client(postgresConfig({ url, schema: 'public', maxConnections: 1, isPatient: true }))
  // A broken connection makes the query fail, too. Without a listener, it would end the process.
  client.on('error', () => {})
  try {
    await client.connect()
    return await work(client)
  } catch (error) {
    throw translateFailure(error)
  } finally {
    await client.end().catch(() => {})
  }
}

/** Makes queries run on one connection, within the transaction that it has begun. */
function kyselyOn(client: Client): Kysely<unknown> {
  const only = { query: client.query.bind(client), release() {} } as unknown as PostgresPoolClient
  return new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: { connect: async () => only, end: async () => {}, options: {} } }),
  })
}

/** A database to fill, with the migrations of this program, and the tables that it begins without rows. */
type FilledDatabase = {
  source: TableTexts
  migrations: Record<string, Migration>
  emptied: readonly string[]
}

/** Returns the schemas of these names that have tables, each with the restoration that made it, if one did. */
export async function occupiedSchemas(
  url: string,
  names: readonly string[],
): Promise<{ name: string; madeBy: string | undefined }[]> {
  return await withPostgresClient(url, async (client) => {
    const occupied: { name: string; madeBy: string | undefined }[] = []
    for (const name of names) {
      if ((await schemaTables(client, name)).length === 0) continue
      const { rows } = await client.query<{ text: string | null }>(
        "select obj_description(to_regclass($1), 'pg_class') as text",
        [`${quoteName(name)}.${MIGRATIONS_TABLE}`],
      )
      occupied.push({ name, madeBy: rows[0]?.text ?? undefined })
    }
    return occupied
  })
}

/**
 * Creates the schemas of databases from texts of their tables, and migrates them to this version of the program: all in
 * one transaction, so that others see everything at once, or nothing. Marks the schemas with `madeBy`.
 * @throws Error if a schema has tables, or a table differs from its version
 */
export async function fillPostgres(url: string, databases: readonly FilledDatabase[], madeBy: string): Promise<void> {
  await withPostgresClient(url, async (client) => {
    await client.query('begin')
    await client.query('set local idle_in_transaction_session_timeout = 0')
    for (const database of databases) await fillSchema(client, database, madeBy)
    await client.query('commit')
  })
}

async function fillSchema(client: Client, { source, migrations, emptied }: FilledDatabase, madeBy: string) {
  const schema = quoteName(source.name)
  const run = (steps: Record<string, Migration>) => migrateOn(client, steps)
  // An instance that starts meanwhile waits.
  await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`schema ${source.name}`])
  if ((await schemaTables(client, source.name)).length > 0) throw new Error(`The schema ${source.name} is not empty`)
  if (!(await hasSchema(client, source.name))) await client.query(`create schema ${schema}`)
  await client.query(`set local search_path = ${schema}`)
  await run(migrationsUntil(migrations, source))
  requireSameColumns(source, await describe(client, source.name, source.tables))
  for (const table of source.tables) await fillTable(client, source, table)
  requireSameRows(source, await describe(client, source.name, source.tables))
  await run(migrations)
  for (const table of emptied) await client.query(`delete from ${schema}.${quoteName(table)}`)
  await client.query(`comment on table ${schema}.${MIGRATIONS_TABLE} is '${madeBy.replaceAll("'", "''")}'`)
  for (const table of await schemaTables(client, source.name))
    await client.query(`analyze ${schema}.${quoteName(table)}`)
}

async function hasSchema(client: Client, name: string): Promise<boolean> {
  return (await client.query('select from pg_namespace where nspname = $1', [name])).rows.length > 0
}

async function migrateOn(client: Client, migrations: Record<string, Migration>): Promise<void> {
  const transaction = kyselyOn(client) as Transaction<unknown>
  await migrate({ exclusively: (work) => work(transaction) }, migrations)
}

async function describe(client: Client, schema: string, of: readonly SnapshotTable[]): Promise<SnapshotTable[]> {
  const found: SnapshotTable[] = []
  for (const name of await schemaTables(client, schema)) {
    if (name === MIGRATIONS_TABLE) continue
    const isFilled = of.some((table) => table.name === name)
    const count = `select count(*) as rows from ${quoteName(schema)}.${quoteName(name)}`
    const rows = isFilled ? (await client.query<{ rows: number }>(count)).rows[0].rows : 0
    found.push({ name, columns: await tableColumns(client, schema, name), rows })
  }
  return found
}

async function fillTable(client: Client, source: TableTexts, table: SnapshotTable): Promise<void> {
  const name = `${quoteName(source.name)}.${quoteName(table.name)}`
  await client.query(`delete from ${name}`)
  const columns = table.columns.map(quoteName).join(', ')
  try {
    await pipeline(Readable.from(source.text(table)), client.query(copyFrom(`copy ${name} (${columns}) from stdin`)))
  } catch (cause) {
    throw new Error(`${source.name}.${table.name}: ${(cause as Error).message}`, { cause })
  }
}
