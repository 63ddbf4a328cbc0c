import { setTimeout as wait } from 'node:timers/promises'
import { type Compilable, type Kysely, PostgresAdapter, type QueryResult, type Transaction } from 'kysely'
import { AppError } from '../basics/errors.ts'

/** Maximum number of attempts, and the pause before the second. Each further pause is up to twice as long. */
const MAX_ATTEMPTS = 8
const FIRST_PAUSE_MS = 4

/** Error codes of PostgreSQL: serialization failure, and deadlock detected. */
const RETRIED_CODES = new Set(['40001', '40P01'])

type TransactionOptions = {
  /**
   * `read committed` (the default) suits a transaction that locks the rows it depends on, with FOR UPDATE.
   * `serializable` behaves as if transactions ran one after another, on both engines, and is retried more often.
   */
  isolation?: 'serializable' | 'read committed'
}

/** Thrown by the work of a transaction that has to run again from its beginning, as after a conflict with another. */
export class TransactionConflict extends Error {
  override name = 'TransactionConflict'
  readonly code = '40001'
}

/**
 * Runs work in a transaction, which is committed when its promise resolves and rolled back when it rejects. The work
 * may run several times because of conflicts, so it must have no effects outside the database. Within a transaction, it
 * joins that one.
 * @throws the errors of the work, or UNAVAILABLE
 */
export async function inTransaction<Tables, Result>(
  db: Kysely<Tables>,
  work: (transaction: Transaction<Tables>) => Promise<Result>,
  { isolation = 'read committed' }: TransactionOptions = {},
): Promise<Result> {
  if (db.isTransaction) return work(db as Transaction<Tables>)
  return await retryConflicts(() => db.transaction().setIsolationLevel(isolation).execute(work))
}

/** Runs a transaction again, after a pause, if it failed because of a conflict with others. */
export async function retryConflicts<Result>(transact: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transact()
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isConflict(error)) throw error
      await wait(Math.random() * FIRST_PAUSE_MS * 2 ** attempt)
    }
  }
}

function isConflict(error: unknown): boolean {
  const { code } = ((error instanceof AppError ? error.cause : error) ?? {}) as { code?: unknown }
  return typeof code === 'string' && RETRIED_CODES.has(code)
}

const SQLITE_CONSTRAINT_PRIMARYKEY = 1555
const SQLITE_CONSTRAINT_UNIQUE = 2067
const POSTGRES_UNIQUE_VIOLATION = '23505'

type DriverError = Error & { code?: string; errcode?: number; table?: string; constraint?: string; detail?: string }

/**
 * Tells whether a statement violated a unique constraint, on either engine. `table` and `columns` select one
 * constraint, with the columns in its order. Names of constraints do not help, because SQLite does not report them.
 */
export function isUniqueViolation(error: unknown, table?: string, columns?: readonly string[]): boolean {
  if (!(error instanceof Error) || error instanceof AppError) return false
  const failure = error as DriverError
  if (failure.errcode === SQLITE_CONSTRAINT_UNIQUE || failure.errcode === SQLITE_CONSTRAINT_PRIMARYKEY) {
    return matches(sqliteKey(failure.message), table, columns)
  }
  if (failure.code !== POSTGRES_UNIQUE_VIOLATION) return false
  return matches({ table: failure.table, columns: postgresColumns(failure.detail) }, table, columns)
}

type Key = { table: string | undefined; columns: string[] }

function matches(key: Key, table: string | undefined, columns: readonly string[] | undefined): boolean {
  if (table !== undefined && key.table !== table) return false
  return columns === undefined || columns.join() === key.columns.join()
}

/** `UNIQUE constraint failed: tracks.event_id, tracks.device_track_id` */
function sqliteKey(message: string): Key {
  const names = message
    .slice(message.indexOf(': ') + 2)
    .split(', ')
    .map((name) => name.split('.'))
  return { table: names[0][0], columns: names.map((name) => name[1]) }
}

/** `Key (event_id, device_track_id)=(1, 2) already exists.` The words depend on the server's language. */
function postgresColumns(detail: string | undefined): string[] {
  const columns = /^[^(]*\(([^)]*)\)=\(/.exec(detail ?? '')?.[1] ?? ''
  return columns.split(', ').map((column) => column.replaceAll('"', ''))
}

/**
 * Runs changes of a transaction one after another, and returns how many rows each has changed. They are sent together
 * where that matters: while a transaction waits for its caller, SQLite's writer runs nothing else, such as the batches
 * of phones. The driver of PostgreSQL takes one query at a time.
 */
export async function changeTogether<Tables>(
  transaction: Transaction<Tables>,
  changes: readonly Compilable[],
): Promise<bigint[]> {
  const executor = transaction.getExecutor()
  return await executor.provideConnection(async (connection) => {
    const run = (change: Compilable): Promise<QueryResult<unknown>> => connection.executeQuery(change.compile())
    const results: QueryResult<unknown>[] = []
    if (executor.adapter instanceof PostgresAdapter) for (const change of changes) results.push(await run(change))
    else results.push(...(await Promise.all(changes.map(run))))
    return results.map(({ numAffectedRows = 0n }) => numAffectedRows)
  })
}
