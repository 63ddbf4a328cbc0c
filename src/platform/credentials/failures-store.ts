import type { Kysely } from 'kysely'
import { inTransaction } from '../database/transaction.ts'

/** Limits on failures to sign in. */
export type BackoffRule = {
  /** Number of failures without a pause. */
  free: number
  /** Pause after the free failures. Each further failure doubles it, up to `maxPauseMs`. */
  firstPauseMs: number
  maxPauseMs: number
  /** Time without a failure after which all failures are forgotten. */
  forgetAfterMs: number
}

/** Number of failures of one caller, and the time of the last one. */
export type Failures = { count: number; lastMs: number }

/** Returns the time that a caller still has to wait; 0 if an attempt is allowed. */
export function backoffMs(rule: BackoffRule, failures: Failures | undefined, nowMs: number): number {
  const { free, firstPauseMs, maxPauseMs } = rule
  if (failures === undefined || isForgotten(rule, failures, nowMs) || failures.count < free) return 0
  const pauseMs = Math.min(maxPauseMs, firstPauseMs * 2 ** (failures.count - free))
  // A clock that was set back must not make the pause longer.
  return Math.max(0, Math.min(pauseMs, failures.lastMs + pauseMs - nowMs))
}

/** Counts one more failure. */
export function addFailure(rule: BackoffRule, failures: Failures | undefined, nowMs: number): Failures {
  const before = failures === undefined || isForgotten(rule, failures, nowMs) ? 0 : failures.count
  return { count: before + 1, lastMs: nowMs }
}

function isForgotten({ forgetAfterMs }: BackoffRule, { lastMs }: Failures, nowMs: number): boolean {
  return nowMs - lastMs >= forgetAfterMs
}

/** Failures to sign in from an address or for a name, found by the SHA-256 of it. */
type SignInFailureRow = {
  caller_sha256: string
  count: number
  last_at: number
}

/** The table of failures, which each service with passwords has. */
export type FailuresTables = { sign_in_failures: SignInFailureRow }

/** Creates the table of failures, in the first migration of a service. */
export async function createFailures(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('sign_in_failures')
    .addColumn('caller_sha256', 'text', (column) => column.primaryKey())
    .addColumn('count', 'integer', (column) => column.notNull())
    .addColumn('last_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('sign_in_failures_by_time').on('sign_in_failures').column('last_at').execute()
}

/** The stored failures of a caller, and the failures to store. */
type CountedFailure = { callerSha256: string; known: Failures | undefined; next: Failures }

/** Failures to sign in, in the database so that every instance sees them, also after a restart. */
export type FailuresStore = ReturnType<typeof createFailuresStore>

export function createFailuresStore(db: Kysely<FailuresTables>) {
  return {
    async find(callerSha256: string): Promise<Failures | undefined> {
      const row = await db
        .selectFrom('sign_in_failures')
        .selectAll()
        .where('caller_sha256', '=', callerSha256)
        .executeTakeFirst()
      return row && { count: row.count, lastMs: row.last_at }
    },

    /** Stores all failures. Stores none and returns false if another attempt has changed one of them meanwhile. */
    async count(failures: readonly CountedFailure[]): Promise<boolean> {
      return await inTransaction(db, async (transaction) => {
        for (const failure of failures) if (!(await replace(transaction, failure))) throw new Overtaken()
        return true
      }).catch((error) => {
        if (error instanceof Overtaken) return false
        throw error
      })
    },

    /** Takes back one failure of each caller. */
    async forgive(callersSha256: readonly string[]): Promise<void> {
      await db
        .updateTable('sign_in_failures')
        .set((row) => ({ count: row('count', '-', 1) }))
        .where('caller_sha256', 'in', callersSha256)
        .where('count', '>', 0)
        .execute()
    },

    /** Deletes all failures of a caller. */
    async clear(callerSha256: string): Promise<void> {
      await db.deleteFrom('sign_in_failures').where('caller_sha256', '=', callerSha256).execute()
    },

    async removeOld(beforeMs: number): Promise<void> {
      await removeUntil(db, beforeMs)
    },

    /** Keeps about `kept` callers with the latest failures. */
    async removeExcess(kept: number): Promise<void> {
      const newest = db.selectFrom('sign_in_failures').select('last_at').orderBy('last_at', 'desc')
      const first = await newest.offset(kept).limit(1).executeTakeFirst()
      if (first !== undefined) await removeUntil(db, first.last_at)
    },
  }
}

async function removeUntil(db: Kysely<FailuresTables>, lastAtMs: number): Promise<void> {
  await db.deleteFrom('sign_in_failures').where('last_at', '<=', lastAtMs).execute()
}

/** Rolls the transaction back. */
class Overtaken extends Error {}

/** Replaces the failures of a caller. Returns false if they are no longer the known ones. */
async function replace(db: Kysely<FailuresTables>, { callerSha256, known, next }: CountedFailure): Promise<boolean> {
  const row: SignInFailureRow = { caller_sha256: callerSha256, count: next.count, last_at: next.lastMs }
  if (known === undefined) {
    const query = db
      .insertInto('sign_in_failures')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
    return ((await query.executeTakeFirstOrThrow()).numInsertedOrUpdatedRows ?? 0n) > 0n
  }
  const { numUpdatedRows } = await db
    .updateTable('sign_in_failures')
    .set(row)
    .where('caller_sha256', '=', callerSha256)
    .where('count', '=', known.count)
    .where('last_at', '=', known.lastMs)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}
