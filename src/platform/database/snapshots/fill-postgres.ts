import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Transaction } from 'kysely'
import type { Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { type Migration, migrate } from '../migrate.ts'
import { kyselyOn, schemaTables, tableColumns, withPostgresClient } from './postgres-snapshot.ts'
import {
  MIGRATIONS_TABLE,
  migrationsUntil,
  requireSameColumns,
  requireSameRows,
  type SnapshotTable,
} from './snapshot.ts'
import { quoteName } from './sqlite-snapshot.ts'
import type { TableTexts } from './table-texts.ts'

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
