import { appendFileSync, readFileSync } from 'node:fs'
import { Client } from 'pg'
import type { TableLayout } from '#platform/database/citus-cluster.ts'
import { publicationsLayout } from '../../src/publications/model/tables.ts'
import { tracksLayout } from '../../src/tracks/model/tables.ts'
import { QUERIES_OVER_ALL_SHARDS } from './queries-over-all-shards.ts'

// A query on a spread table must name the column by which the table is spread; otherwise a distributed database asks
// every shard. The tests on PostgreSQL note each query that the program sends, and the end of the run checks them.

const layouts: Record<string, Readonly<Record<string, TableLayout>>> = {
  tracks: tracksLayout,
  publications: publicationsLayout,
}

/** Notes the program's queries in the file that TEST_QUERIES names, each once. */
export function noteQueries(): void {
  const file = process.env.TEST_QUERIES
  if (file === undefined) return
  const noted = new Set<string>()
  const query = Client.prototype.query as (this: Client, ...args: unknown[]) => unknown
  function notingQuery(this: Client, ...args: unknown[]): unknown {
    const text = typeof args[0] === 'string' ? args[0] : (args[0] as { text?: string }).text
    const line = JSON.stringify([schemaOf(this), withoutValues(text ?? '')])
    if (!noted.has(line) && isOfProgram()) {
      noted.add(line)
      appendFileSync(file!, `${line}\n`)
    }
    return query.apply(this, args)
  }
  Client.prototype.query = notingQuery as typeof Client.prototype.query
}

/** Returns the noted queries that go over all shards without a reason in `QUERIES_OVER_ALL_SHARDS`. */
export function findUnboundQueries(file: string): string[] {
  const lines = new Set(readFileSync(file, 'utf8').split('\n').slice(0, -1))
  return [...lines].flatMap((line) => {
    const [schema, text] = JSON.parse(line) as [string, string]
    const tables = unboundTables(text, layouts[schema] ?? {})
    const isNamed = QUERIES_OVER_ALL_SHARDS.some(([beginning]) => text.startsWith(beginning))
    return tables.length === 0 || isNamed ? [] : [`${tables.join()} in: ${text}`]
  })
}

/** Returns the spread tables of a query whose shard it does not name. */
export function unboundTables(text: string, layout: Readonly<Record<string, TableLayout>>): string[] {
  return Object.entries(layout).flatMap(([table, of]) => {
    if (typeof of === 'string' || !new RegExp(`\\b(from|join|update|into) "?${table}"?(?![\\w.])`).test(text)) return []
    const inserted = new RegExp(`insert into "?${table}"? \\(([^)]*)\\)`).exec(text)?.[1]
    if (inserted?.split(', ').some((column) => column.replaceAll('"', '') === of.by)) return []
    const named = new RegExp(`("?\\b${table}"?\\."?|[^."\\w]"?)\\b${of.by}"? (= \\$|in \\(\\$)`)
    return named.test(text) ? [] : [table]
  })
}

/** Makes queries alike that differ in values, in the number of values, and in spaces. */
function withoutValues(text: string): string {
  return text
    .replace(/\$\d+/g, '$')
    .replace(/\$(, ?\$)+/g, '$')
    .replace(/\s+/g, ' ')
    .trim()
}

function schemaOf(client: Client): string {
  const { options = '' } = (client as unknown as { connectionParameters: { options?: string } }).connectionParameters
  return /search_path=(\w+)/.exec(options)?.[1] ?? ''
}

/** Tells whether the program asks, or a test itself. */
function isOfProgram(): boolean {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 100
  const frames = (new Error().stack ?? '').split('\n').slice(1)
  Error.stackTraceLimit = stackTraceLimit
  const asking = frames.find((frame) => /\/(src|test)\//.test(frame) && !DRIVING.test(frame))
  return asking === undefined || asking.includes('/src/')
}

/** Code that sends queries for others. */
const DRIVING =
  /node_modules|test\/support\/sharded-queries|src\/platform\/database\/(connect-postgres|postgres-|transaction)/
