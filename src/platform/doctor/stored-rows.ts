import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { postgresConfig } from '../database/postgres-pool.ts'

/** Rows of a page on PostgreSQL: some megabytes of chunks. */
const ROWS_PER_PAGE = 200
const READ_WITHIN_MS = 5_000

type Place = { databaseUrl: string; dataDir: string; service: string; table: string; columns: string }

/** Reads a table of a service without changing anything; nothing if it is not there yet. */
export async function withStoredRows<Row, Result>(
  place: Place,
  work: (rows: AsyncIterable<Row>) => Promise<Result>,
): Promise<Result> {
  if (place.databaseUrl === '') return await withSqliteRows(place, work)
  const client = new Client(postgresConfig({ url: place.databaseUrl, schema: place.service, maxConnections: 1 }))
  client.on('error', () => {})
  try {
    await client.connect()
    return await work(postgresRows<Row>(client, place))
  } finally {
    await client.end().catch(() => {})
  }
}

async function* postgresRows<Row>(client: Client, { service, table, columns }: Place): AsyncGenerator<Row> {
  const { rows } = await client.query('select to_regclass($1) as found', [`${service}.${table}`])
  if (rows[0].found === null) return
  await client.query('begin transaction isolation level repeatable read read only')
  await client.query(`declare stored no scroll cursor for select ${columns} from "${service}"."${table}"`)
  for (;;) {
    const page = await client.query(`fetch ${ROWS_PER_PAGE} from stored`)
    yield* page.rows as Row[]
    if (page.rows.length < ROWS_PER_PAGE) return
  }
}

async function withSqliteRows<Row, Result>(
  { dataDir, service, table, columns }: Place,
  work: (rows: AsyncIterable<Row>) => Promise<Result>,
): Promise<Result> {
  const file = join(dataDir, `${service}.sqlite`)
  if (!existsSync(file)) return await work(none())
  const database = new DatabaseSync(file, { readOnly: true, timeout: READ_WITHIN_MS })
  try {
    const found = database.prepare("select 1 from sqlite_master where type = 'table' and name = ?").get(table)
    if (found === undefined) return await work(none())
    const rows = database.prepare(`select ${columns} from "${table}"`)
    return await work(
      (async function* () {
        yield* rows.iterate() as Iterable<unknown> as Iterable<Row>
      })(),
    )
  } finally {
    database.close()
  }
}

async function* none(): AsyncGenerator<never> {}
