import type { Kysely } from 'kysely'
import { inTransaction } from '#platform/database/transaction.ts'
import type { Failures } from '../domain/sign-in-backoff.ts'
import type { OperatorTables, SignInFailureRow } from './tables.ts'

/** The stored failures of a caller, and those to store. */
type CountedFailure = { callerSha256: string; known: Failures | undefined; next: Failures }

/** Failures to sign in, in the database so that every instance sees them, also after a restart. */
export type FailuresStore = {
  find(callerSha256: string): Promise<Failures | undefined>
  /** Stores all failures. Stores none and returns false if another attempt has changed one of them meanwhile. */
  count(failures: readonly CountedFailure[]): Promise<boolean>
  /** Takes back one failure of each caller. */
  forgive(callersSha256: readonly string[]): Promise<void>
  /** Deletes all failures of a caller. */
  clear(callerSha256: string): Promise<void>
  removeOld(beforeMs: number): Promise<void>
  /** Keeps about `kept` callers, those that failed last. */
  removeExcess(kept: number): Promise<void>
}

export function createFailuresStore(db: Kysely<OperatorTables>): FailuresStore {
  return {
    async find(callerSha256) {
      const row = await db
        .selectFrom('sign_in_failures')
        .selectAll()
        .where('caller_sha256', '=', callerSha256)
        .executeTakeFirst()
      return row && { count: row.count, lastMs: row.last_at }
    },

    async count(failures) {
      return await inTransaction(db, async (transaction) => {
        for (const failure of failures) if (!(await replace(transaction, failure))) throw new Overtaken()
        return true
      }).catch((error) => {
        if (error instanceof Overtaken) return false
        throw error
      })
    },

    async forgive(callersSha256) {
      await db
        .updateTable('sign_in_failures')
        .set((row) => ({ count: row('count', '-', 1) }))
        .where('caller_sha256', 'in', callersSha256)
        .where('count', '>', 0)
        .execute()
    },

    async clear(callerSha256) {
      await db.deleteFrom('sign_in_failures').where('caller_sha256', '=', callerSha256).execute()
    },

    async removeOld(beforeMs) {
      await removeUntil(db, beforeMs)
    },

    async removeExcess(kept) {
      const newest = db.selectFrom('sign_in_failures').select('last_at').orderBy('last_at', 'desc')
      const first = await newest.offset(kept).limit(1).executeTakeFirst()
      if (first !== undefined) await removeUntil(db, first.last_at)
    },
  }
}

async function removeUntil(db: Kysely<OperatorTables>, lastAtMs: number): Promise<void> {
  await db.deleteFrom('sign_in_failures').where('last_at', '<=', lastAtMs).execute()
}

/** Rolls the transaction back. */
class Overtaken extends Error {}

/** Replaces the failures of a caller. Returns false if they are no longer the known ones. */
async function replace(db: Kysely<OperatorTables>, { callerSha256, known, next }: CountedFailure): Promise<boolean> {
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
