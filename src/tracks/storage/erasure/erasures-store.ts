import type { Kysely, Transaction } from 'kysely'
import { inTransaction } from '#platform/database/transaction.ts'
import type { ErasureRow, TracksTables } from '../tables.ts'
import { addCounts, type ErasedCounts, NOTHING_ERASED } from './erased-counts.ts'

/** A position in the list: that of the last receipt on the page before. */
export type ErasureCursor = { startedMs: number; id: string }

/** Receipts of erasures. Those in progress are the jobs, too, so that an interrupted one is continued. */
export type ErasuresStore = {
  /** Adds an erasure, unless there is one with its id. */
  begin(row: Omit<ErasureRow, 'erased'>): Promise<void>
  /**
   * Runs one step and adds what it erased to the receipt, in one transaction. Instances that do so at the same time
   * wait for each other, so nothing is counted twice.
   * @returns what was erased; undefined if the erasure of a person has ended
   */
  step(
    id: string,
    work: (transaction: Transaction<TracksTables>) => Promise<ErasedCounts>,
  ): Promise<ErasedCounts | undefined>
  /** Ends an erasure, and forgets whose it was. */
  finish(id: string, nowMs: number): Promise<void>
  find(id: string): Promise<ErasureRow | undefined>
  /** Returns receipts, newest first. */
  list(after: ErasureCursor | undefined, limit: number): Promise<ErasureRow[]>
  /** Returns erasures that have not ended. */
  unfinished(): Promise<ErasureRow[]>
}

export function createErasuresStore(db: Kysely<TracksTables>): ErasuresStore {
  return {
    async begin(row) {
      await db
        .insertInto('erasures')
        .values({ ...row, erased: JSON.stringify(NOTHING_ERASED) })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute()
    },

    async step(id, work) {
      return await inTransaction(db, async (transaction) => {
        const row = await transaction
          .selectFrom('erasures')
          .selectAll()
          .where('id', '=', id)
          .forUpdate()
          .executeTakeFirst()
        if (row === undefined || (row.kind === 'person' && row.finished_at !== null)) return undefined
        const counts = await work(transaction)
        const erased = JSON.stringify(addCounts(JSON.parse(row.erased) as ErasedCounts, counts))
        await transaction.updateTable('erasures').set({ erased }).where('id', '=', id).execute()
        return counts
      })
    },

    async finish(id, nowMs) {
      await db.updateTable('erasures').set({ finished_at: nowMs, user_id: null }).where('id', '=', id).execute()
    },

    async find(id) {
      return await db.selectFrom('erasures').selectAll().where('id', '=', id).executeTakeFirst()
    },

    async list(after, limit) {
      let query = db.selectFrom('erasures').selectAll()
      if (after !== undefined) {
        query = query
          .where('started_at', '<=', after.startedMs)
          .where((or) => or.or([or('started_at', '<', after.startedMs), or('id', '<', after.id)]))
      }
      return await query.orderBy('started_at', 'desc').orderBy('id', 'desc').limit(limit).execute()
    },

    async unfinished() {
      return await db
        .selectFrom('erasures')
        .selectAll()
        .where('finished_at', 'is', null)
        .orderBy('started_at')
        .execute()
    },
  }
}
