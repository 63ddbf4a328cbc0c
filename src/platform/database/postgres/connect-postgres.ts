import { setTimeout as wait } from 'node:timers/promises'
import { Kysely, sql } from 'kysely'
import type { Pool } from 'pg'
import type { Database } from '../database.ts'
import { translateFailure } from '../database-failure.ts'
import { NotedFailures } from '../noted-failures.ts'
import { queryTracer } from '../trace-queries.ts'
import { ConnectionGate } from './connection-gate.ts'
import { createPoolMetrics } from './pool-metrics.ts'
import { postgresDialect } from './postgres-dialect.ts'
import { postgresGuardedInsert } from './postgres-guarded-insert.ts'
import { PostgresNotices } from './postgres-notices.ts'
import { openPostgresPool, type PostgresOptions } from './postgres-pool.ts'
import { estimateRowsOfSchema, hasSpreadTables, shardOf, sizeOfSchema } from './shards.ts'
import { spreadGuardedInsert } from './spread-guarded-insert.ts'

/** Time that `close` waits for running queries. */
const CLOSE_DEADLINE_MS = 5_000

/**
 * Time that a migration waits for a lock. Queries of other instances wait behind it, and they have
 * 6.5 seconds. The whole upgrade is then tried again after a pause in which they run, for some
 * minutes: an old transaction must end by then.
 */
const LOCK_WITHIN_MS = 2_000
const LOCK_PAUSE_MS = 1_000
const LOCK_ATTEMPTS = 100

const LOCK_NOT_AVAILABLE = '55P03'
const DUPLICATE_SCHEMA = '42P06'
const UNIQUE_VIOLATION = '23505'

/** Opens a schema of a PostgreSQL database and creates it if it does not exist. Rejects with UNAVAILABLE or worse. */
export async function connectPostgres<Tables>(options: PostgresOptions): Promise<Database<Tables>> {
  const pool = openPostgresPool(options)
  if (options.registry !== undefined) createPoolMetrics(options.registry, options.schema, pool)
  const gate = new ConnectionGate()
  gate.watch(pool)
  const log = queryTracer({ system: 'postgresql', name: options.schema })
  const failures = new NotedFailures()
  const db = new Kysely<Tables>({ dialect: postgresDialect(pool, gate, failures), log })
  const notices = new PostgresNotices(options, db, gate)
  let closed: Promise<void> | undefined
  let isDistributed: boolean
  try {
    await createSchema(options)
    isDistributed = await hasSpreadTables(pool, options.schema)
    await notices.connect()
  } catch (error) {
    await Promise.all([notices.close(), endPool(pool)])
    throw translateFailure(error)
  }
  return {
    db,
    kind: 'PostgreSQL',
    embedded: undefined,
    notices,
    check: async () => {
      await sql`select 1`.execute(db)
    },
    checkWrite: async () => {
      // Writes a row again: the smallest change that a database with migrations takes.
      await sql`update migrations set name = name where name = (select min(name) from migrations)`.execute(db)
      failures.require()
    },
    // Left to the server's autovacuum.
    maintain: async () => {},
    sizeBytes: () => sizeOfSchema(db, options.schema, isDistributed),
    estimateRows: () => estimateRowsOfSchema(db, options.schema, isDistributed),
    shardOf: isDistributed ? (table, value) => shardOf(db, `${options.schema}.${table}`, value) : undefined,
    guardedInsert: (insert) => (isDistributed ? spreadGuardedInsert : postgresGuardedInsert)(db, insert),
    exclusively: (work) => exclusively(options, gate, work),
    close: () => {
      closed ??= Promise.all([notices.close(), endPool(pool)]).then(() => {})
      return closed
    },
  }
}

/** Checks first, because the user may lack the right to create a schema. */
async function createSchema(options: PostgresOptions): Promise<void> {
  const { schema } = options
  const pool = openPostgresPool({ ...options, maxConnections: 1, isPatient: true })
  try {
    await createMissingSchema(pool, schema)
  } finally {
    await endPool(pool)
  }
}

async function createMissingSchema(pool: Pool, schema: string): Promise<void> {
  const { rows } = await pool.query('select 1 from pg_namespace where nspname = $1', [schema])
  if (rows.length > 0) return
  try {
    await pool.query(`create schema if not exists "${schema}"`)
  } catch (error) {
    // Two instances that start at once both find it missing. The second fails even with `if not exists`.
    const { code } = error as { code?: string }
    if (code !== UNIQUE_VIOLATION && code !== DUPLICATE_SCHEMA) throw error
  }
}

/** Uses a connection of its own without time limits, and a lock that ends with the transaction or the connection. */
async function exclusively<Tables, Result>(
  options: PostgresOptions,
  gate: ConnectionGate,
  work: Parameters<Database<Tables>['exclusively']>[0],
): Promise<Result> {
  const pool = openPostgresPool({ ...options, maxConnections: 1, isPatient: true })
  gate.watch(pool)
  const db = new Kysely<Tables>({ dialect: postgresDialect(pool, gate) })
  try {
    return await whenLocksAreFree(() =>
      db.transaction().execute(async (transaction) => {
        await sql`select pg_advisory_xact_lock(hashtextextended(${`schema ${options.schema}`}, 0))`.execute(transaction)
        await sql`select set_config('lock_timeout', ${`${LOCK_WITHIN_MS}ms`}, true)`.execute(transaction)
        // Citus otherwise changes shards over several connections, which cannot see each other's changes of the schema.
        // Without the extension, PostgreSQL takes the name for one of its user's own.
        await sql`select set_config('citus.multi_shard_modify_mode', 'sequential', true)`.execute(transaction)
        return (await work(transaction)) as Result
      }),
    )
  } finally {
    await endPool(pool)
  }
}

async function whenLocksAreFree<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt()
    } catch (error) {
      const isLocked = (error as { cause?: { code?: unknown } }).cause?.code === LOCK_NOT_AVAILABLE
      if (!isLocked || attempts === LOCK_ATTEMPTS) throw error
      await wait(LOCK_PAUSE_MS)
    }
  }
}

/**
 * Ends the pool within a time limit. `pool.end` waits for every connection in use, and a hanging query must not block a
 * shutdown. Idle connections do not keep a process alive: without the timer, it could exit before they are closed.
 */
async function endPool(pool: Pool): Promise<void> {
  const { promise: deadline, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, CLOSE_DEADLINE_MS)
  await Promise.race([pool.end(), deadline])
  clearTimeout(timer)
}
