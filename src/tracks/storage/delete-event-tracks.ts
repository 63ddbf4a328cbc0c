import type { Kysely } from 'kysely'
import { inTransaction } from '#platform/database/transaction.ts'
import type { TracksTables } from './tables.ts'

/** Tracks removed in one transaction: few enough that phones of other events wait no longer than for a batch of points. */
const TRACKS_PER_STEP = 50

/**
 * Removes the tracks of a deleted event step by step, and the event's row last. After an interruption the row shows that
 * tracks are left to remove.
 */
export async function deleteTracksOfEvent(db: Kysely<TracksTables>, eventId: string): Promise<void> {
  for (;;) {
    const removed = await inTransaction(db, async (transaction) => {
      const rows = await transaction
        .selectFrom('tracks')
        .select('id')
        .where('event_id', '=', eventId)
        .orderBy('id')
        .limit(TRACKS_PER_STEP)
        // A concurrent append either commits before the chunks are removed, or finds no track.
        .forUpdate()
        .execute()
      const ids = rows.map(({ id }) => id)
      if (ids.length > 0) {
        await transaction.deleteFrom('chunks').where('track_id', 'in', ids).execute()
        await transaction.deleteFrom('tracks').where('id', 'in', ids).execute()
      }
      return ids.length
    })
    if (removed === 0) break
  }
  await db.deleteFrom('device_tracks').where('event_id', '=', eventId).execute()
  await db.deleteFrom('deleted_tracks').where('event_id', '=', eventId).execute()
  await db.deleteFrom('shares').where('event_id', '=', eventId).execute()
  await db.deleteFrom('idempotency_keys').where('owner_id', '=', eventId).execute()
  await db.deleteFrom('events').where('id', '=', eventId).execute()
}
