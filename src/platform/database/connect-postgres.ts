import { setTimeout as wait } from 'node:timers/promises'
import { Kysely, sql } from 'kysely'
import type { Pool } from 'pg'
import { Gauge, type Registry } from 'prom-client'
import { inTime } from '../basics/timers.ts'
import type { Database } from './database.ts'
import { NotedFailures, translateFailure } from './database-failure.ts'
import { postgresGuardedInsert, spreadGuardedInsert } from './postgres-guarded-insert.ts'
import { PostgresNotices } from './postgres-notices.ts'
import { ConnectionGate, openPostgresPool, type PostgresOptions, postgresDialect } from './postgres-pool.ts'
import { queryTracer } from './trace-queries.ts'

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
  await inTime(CLOSE_DEADLINE_MS, pool.end())
}

/** Registers the metrics of a service's connections to PostgreSQL. `prefix` begins their names: `tracks`. */
export function createPoolMetrics(registry: Registry, prefix: string, pool: Pool): void {
  const registers = [registry]
  new Gauge({
    name: `${prefix}_database_connections`,
    help: 'Connections to PostgreSQL, by state.',
    labelNames: ['state'],
    registers,
    collect() {
      this.set({ state: 'idle' }, pool.idleCount)
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount)
    },
  })
  new Gauge({
    name: `${prefix}_database_waiting`,
    help: 'Queries and transactions that wait for a connection to PostgreSQL.',
    registers,
    collect() {
      this.set(pool.waitingCount)
    },
  })
}

/** Tells whether tables of the schema are spread over the workers of a Citus cluster. */
async function hasSpreadTables(pool: Pool, schema: string): Promise<boolean> {
  const { rows } = await pool.query("select from pg_extension where extname = 'citus'")
  if (rows.length === 0) return false
  const spread = await pool.query(
    `select from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
     join pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and p.partmethod = 'h'`,
    [schema],
  )
  return spread.rows.length > 0
}

/** Returns the shard that holds the rows of a spread table with this value. */
async function shardOf<Tables>(db: Kysely<Tables>, table: string, value: string): Promise<number> {
  const { rows } = await sql<{ shard: number }>`
    select get_shard_id_for_distribution_column(cast(${table} as regclass), cast(${value} as text)) as shard`.execute(
    db,
  )
  return rows[0].shard
}

/** Returns the size of the tables of a schema with their indexes, on all machines. */
async function sizeOfSchema<Tables>(db: Kysely<Tables>, schema: string, isDistributed: boolean): Promise<number> {
  const size = isDistributed
    ? sql`case when c.oid in (select logicalrelid from pg_dist_partition) then citus_total_relation_size(c.oid)
        else pg_total_relation_size(c.oid) end`
    : sql`pg_total_relation_size(c.oid)`
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(${size}), 0) as bytes
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = ${schema} and c.relkind in ('r', 'm', 'p')`.execute(db)
  return rows[0].bytes
}

/**
 * Estimates the rows of each table of a schema as the last analyze did, or before the first as the server's statistics
 * do. Spread tables are left out: this machine knows nothing of their rows.
 */
async function estimateRowsOfSchema<Tables>(
  db: Kysely<Tables>,
  schema: string,
  isDistributed: boolean,
): Promise<Map<string, number>> {
  const isHere = isDistributed
    ? sql`c.oid not in (select logicalrelid from pg_dist_partition where partmethod = 'h')`
    : sql`true`
  const { rows } = await sql<{ name: string; estimate: number }>`
    select c.relname as name,
      case when c.reltuples > 0 then c.reltuples::float8 else pg_stat_get_live_tuples(c.oid)::float8 end as estimate
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = ${schema} and c.relkind = 'r' and ${isHere}`.execute(db)
  return new Map(rows.map(({ name, estimate }) => [name, Math.round(estimate)]))
}
