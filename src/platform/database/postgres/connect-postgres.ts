import { Kysely, sql, type Transaction } from 'kysely'
import type { Pool } from 'pg'
import type { Change, Database } from '../database.ts'
import { translateFailure } from '../database-failure.ts'
import { inTransaction } from '../transaction.ts'
import { postgresDialect } from './postgres-dialect.ts'
import { PostgresNotices } from './postgres-notices.ts'
import { openPostgresPool, type PostgresOptions } from './postgres-pool.ts'

/** How long `close` waits for queries under way. */
const CLOSE_DEADLINE_MS = 5_000

const DUPLICATE_SCHEMA = '42P06'
const UNIQUE_VIOLATION = '23505'

/** Opens a schema of a PostgreSQL database, which is created when it is not there. Rejects with UNAVAILABLE or worse. */
export async function connectPostgres<Tables>(options: PostgresOptions): Promise<Database<Tables>> {
  const pool = openPostgresPool(options)
  const db = new Kysely<Tables>({ dialect: postgresDialect(pool) })
  const notices = new PostgresNotices(options, db)
  let closed: Promise<void> | undefined
  try {
    await createSchema(pool, options.schema)
    await notices.connect()
  } catch (error) {
    await Promise.all([notices.close(), endPool(pool)])
    throw translateFailure(error)
  }
  return {
    db,
    kind: 'PostgreSQL',
    notices,
    check: async () => {
      await sql`select 1`.execute(db)
    },
    // The server's autovacuum does it.
    maintain: async () => {},
    sizeBytes: () => sizeOfSchema(db, options.schema),
    changeTogether: (changes) => changeTogether(db, changes),
    exclusively: (work) => exclusively(options, work),
    close: () => {
      closed ??= Promise.all([notices.close(), endPool(pool)]).then(() => {})
      return closed
    },
  }
}

/** Thrown to undo what was done so far; nobody outside sees it. */
const UNDONE = Symbol('undone')

async function changeTogether<Tables>(db: Kysely<Tables>, changes: readonly Change[]): Promise<boolean> {
  const change = async (transaction: Transaction<Tables>) => {
    for (const { query, rows } of changes) {
      const { numAffectedRows } = await transaction.executeQuery(query)
      if (Number(numAffectedRows) !== rows) throw UNDONE
    }
    return true
  }
  try {
    return await inTransaction(db, change)
  } catch (error) {
    if (error === UNDONE) return false
    throw error
  }
}

/** Looks first: whoever may use the schema need not be allowed to create one. */
async function createSchema(pool: Pool, schema: string): Promise<void> {
  const { rows } = await pool.query('select 1 from pg_namespace where nspname = $1', [schema])
  if (rows.length > 0) return
  try {
    await pool.query(`create schema if not exists "${schema}"`)
  } catch (error) {
    // Two instances that start at once both see it missing; `if not exists` does not keep the second from failing.
    const { code } = error as { code?: string }
    if (code !== UNIQUE_VIOLATION && code !== DUPLICATE_SCHEMA) throw error
  }
}

async function sizeOfSchema<Tables>(db: Kysely<Tables>, schema: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(pg_total_relation_size(c.oid)), 0) as bytes
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = ${schema} and c.relkind in ('r', 'm', 'p')`.execute(db)
  return rows[0].bytes
}

/** On a connection of its own without time limits, under a lock that ends with the transaction or the connection. */
async function exclusively<Tables, Result>(
  options: PostgresOptions,
  work: Parameters<Database<Tables>['exclusively']>[0],
): Promise<Result> {
  const pool = openPostgresPool({ ...options, maxConnections: 1, isPatient: true })
  try {
    return await new Kysely<Tables>({ dialect: postgresDialect(pool) }).transaction().execute(async (transaction) => {
      await sql`select pg_advisory_xact_lock(hashtextextended(${`schema ${options.schema}`}, 0))`.execute(transaction)
      return (await work(transaction)) as Result
    })
  } finally {
    await endPool(pool)
  }
}

/**
 * `pool.end` waits for every connection that is lent out, however long; a query that hangs must not hold a shutdown.
 * Idle connections do not keep a process alive, so without the timer it could end while it waits for their goodbye.
 */
async function endPool(pool: Pool): Promise<void> {
  const { promise: deadline, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, CLOSE_DEADLINE_MS)
  await Promise.race([pool.end(), deadline])
  clearTimeout(timer)
}
