import type { Insertable, Kysely } from 'kysely'
import { inTransaction } from '#platform/database/transaction.ts'
import type { StoredToken } from '#platform/tokens/owned-tokens.ts'
import { deleteWebhooksOf } from '#platform/webhooks/storage/endpoints-store.ts'
import { appTokenRow } from './app-tokens-store.ts'
import type { EventRow, TracksTables } from './tables.ts'

export type EventsStore = {
  /** Adds an event with its first token. */
  create(event: Insertable<EventRow>, token: StoredToken): Promise<void>
  find(id: string): Promise<EventRow | undefined>
  /** Returns all events, newest first, each with the number of its tracks. */
  list(): Promise<(EventRow & { tracks_count: number })[]>
  /** Returns true if there has never been an event. */
  isEmpty(): Promise<boolean>
  /**
   * Deletes the event for all readers, with its tokens and shares. Its tracks can be many and are removed separately.
   * @returns false if there is no such event.
   */
  end(id: string, nowMs: number): Promise<boolean>
  /** Returns the ids of deleted events whose tracks are not yet all removed. */
  ended(): Promise<string[]>
}

export function createEventsStore(db: Kysely<TracksTables>): EventsStore {
  return {
    async create(event, token) {
      await inTransaction(db, async (transaction) => {
        await transaction.insertInto('events').values(event).execute()
        await transaction.insertInto('app_tokens').values(appTokenRow(event.id, token)).execute()
      })
    },

    async find(id) {
      return await db
        .selectFrom('events')
        .selectAll()
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
    },

    list: () => listEvents(db),

    async isEmpty() {
      return (await db.selectFrom('events').select('id').limit(1).executeTakeFirst()) === undefined
    },

    async end(id, nowMs) {
      return await inTransaction(db, async (transaction) => {
        const { numUpdatedRows } = await transaction
          .updateTable('events')
          .set({ deleted_at: nowMs })
          .where('id', '=', id)
          .where('deleted_at', 'is', null)
          .executeTakeFirstOrThrow()
        await transaction.deleteFrom('app_tokens').where('event_id', '=', id).execute()
        await transaction.deleteFrom('shares').where('event_id', '=', id).execute()
        await deleteWebhooksOf(transaction, id)
        return numUpdatedRows > 0n
      })
    },

    async ended() {
      const rows = await db.selectFrom('events').select('id').where('deleted_at', 'is not', null).execute()
      return rows.map(({ id }) => id)
    },
  }
}

async function listEvents(db: Kysely<TracksTables>) {
  const events = await db
    .selectFrom('events')
    .selectAll()
    .where('deleted_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
  const counts = await db
    .selectFrom('tracks')
    .select(({ fn }) => ['event_id', fn.countAll<number>().as('count')])
    .groupBy('event_id')
    .execute()
  const tracks = new Map(counts.map(({ event_id, count }) => [event_id, Number(count)]))
  return events.map((event) => ({ ...event, tracks_count: tracks.get(event.id) ?? 0 }))
}
