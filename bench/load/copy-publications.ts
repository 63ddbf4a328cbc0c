import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { Client } from 'pg'
import type { Installation } from '../program/engine.ts'

type Row = Record<string, unknown>

/** The two statements that copying needs, in either database. */
type Database = {
  read(table: string, column: string, value: string): Promise<Row[]>
  insert(table: string, rows: readonly Row[]): Promise<void>
  close(): Promise<void>
}

const ROWS_AT_ONCE = 500
/** Time between publications, so that lists have an order. */
const APART_MS = 1_000

/**
 * Copies a publication that is complete, with other names, and all of its rows that lists read; the files are shared.
 * The server must not be running. Publishing thousands of documents would take longer than the whole benchmark.
 */
export async function copyPublication(
  installation: Installation,
  slug: string,
  from: number,
  to: number,
): Promise<void> {
  const database = await open(installation)
  const [publication] = await database.read('publications', 'slug', slug)
  const id = String(publication.id)
  const versions = await database.read('versions', 'publication_id', id)
  const pages = await database.read('pages', 'version_id', String(publication.version_id))
  const slugs = await database.read('slugs', 'publication_id', id)
  for (let first = from; first < to; first += ROWS_AT_ONCE) {
    const copies = Array.from({ length: Math.min(ROWS_AT_ONCE, to - first) }, (_, i) => copyOf(publication, first + i))
    await database.insert('publications', copies)
    const owned = (rows: Row[], change: (copy: Row) => Row) =>
      copies.flatMap((copy) => rows.map((row) => ({ ...row, ...change(copy) })))
    await database.insert(
      'versions',
      owned(versions, ({ id, version_id }) => ({ id: version_id, publication_id: id })),
    )
    await database.insert(
      'pages',
      owned(pages, ({ version_id }) => ({ version_id })),
    )
    await database.insert(
      'slugs',
      owned(slugs, ({ id, slug }) => ({ slug, publication_id: id })),
    )
  }
  await database.close()
}

function copyOf(publication: Row, i: number): Row {
  const createdMs = Number(publication.created_at) + i * APART_MS
  return {
    ...publication,
    id: randomUUID(),
    version_id: randomUUID(),
    slug: `copy-${i}`,
    title: `Annual report ${i}`,
    search_text: `annual report ${i} copy-${i}`,
    created_at: createdMs,
    updated_at: createdMs,
  }
}

async function open({ dataDir, databaseUrl }: Installation): Promise<Database> {
  if (databaseUrl === '') return openSqlite(dataDir)
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('set search_path to publications')
  return {
    read: async (table, column, value) =>
      (await client.query(`select * from ${table} where ${column} = $1`, [value])).rows,
    async insert(table, rows) {
      // The database assigns JSON's values to its own types, whatever the columns are.
      const statement = `insert into ${table} select * from json_populate_recordset(null::${table}, $1)`
      if (rows.length > 0) await client.query(statement, [JSON.stringify(rows.map(textOfBytes))])
    },
    async close() {
      // PostgreSQL does so by itself within a minute; thousands of rows do not come within a second otherwise.
      await client.query('analyze')
      await client.end()
    },
  }
}

/** Writes bytes as PostgreSQL reads them. */
function textOfBytes(row: Row): Row {
  const text = (value: unknown) => (Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : value)
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [column, text(value)]))
}

function openSqlite(dataDir: string): Database {
  const file = readdirSync(dataDir).find((name) => /^publications.*\.(sqlite|db)$/.test(name))
  if (file === undefined) throw new Error(`No database of publications in ${dataDir}`)
  const database = new DatabaseSync(join(dataDir, file))
  return {
    read: async (table, column, value) => database.prepare(`select * from ${table} where ${column} = ?`).all(value),
    async insert(table, rows) {
      if (rows.length === 0) return
      const columns = Object.keys(rows[0])
      const places = columns.map(() => '?').join(', ')
      const insert = database.prepare(`insert into ${table} (${columns.join(', ')}) values (${places})`)
      database.exec('begin')
      for (const row of rows) insert.run(...columns.map((column) => row[column] as SQLInputValue))
      database.exec('commit')
    },
    close: async () => database.close(),
  }
}
