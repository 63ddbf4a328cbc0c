import { setTimeout as wait } from 'node:timers/promises'
import type { Kysely, Transaction } from 'kysely'
import { AppError } from '../errors.ts'

/** Attempts in all, and the pause before the second; each further pause is up to twice as long as the one before. */
const MAX_ATTEMPTS = 8
const FIRST_PAUSE_MS = 4

/** PostgreSQL: the transaction could not be ordered among the others, or was chosen to end a deadlock. */
const RETRIED_CODES = new Set(['40001', '40P01'])

export type TransactionOptions = {
  /**
   * `read committed` (the default) is right for a transaction that locks the rows by which it decides, with FOR UPDATE.
   * `serializable` is as if transactions ran one after the other, on both engines, and has to be repeated more often.
   */
  isolation?: 'serializable' | 'read committed'
}

/**
 * Runs work in a transaction: committed when its promise resolves, rolled back when it rejects. It may run several
 * times, when others got in its way, so it has no effects outside the database. Inside a transaction it joins that one.
 * Throws what the work throws, or UNAVAILABLE.
 */
export async function inTransaction<Tables, Result>(
  db: Kysely<Tables>,
  work: (transaction: Transaction<Tables>) => Promise<Result>,
  { isolation = 'read committed' }: TransactionOptions = {},
): Promise<Result> {
  if (db.isTransaction) return work(db as Transaction<Tables>)
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().setIsolationLevel(isolation).execute(work)
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
