import { setTimeout as wait } from 'node:timers/promises'
import type { Kysely, Transaction } from 'kysely'
import { AppError } from '../errors.ts'

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
 * joins that one. Throws what the work throws, or UNAVAILABLE.
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
