import type { Kysely } from 'kysely'
import { inTransaction } from '#platform/database/transaction.ts'
import { deleteWebhooksOf } from '#platform/webhooks/storage/endpoints-store.ts'
import type { TracksTables } from './tables.ts'

/**
 * Tracks removed in one transaction: few enough that phones of other events wait no longer than for a batch of points.
 */
const TRACKS_PER_STEP = 50

/**
 * Removes the tracks of a deleted event step by step, and the event's row last. After an interruption the
 * row shows that tracks are left to remove.
 */
export async function deleteTracksOfEvent(db: Kysely<TracksTables>, eventId: string): Promise<void> {
  for (;;) {
    const rows = await db
      .selectFrom('tracks')
      .select('id')
      .where('event_id', '=', eventId)
      .limit(TRACKS_PER_STEP)
      .execute()
    if (rows.length === 0) break
    const ids = rows.map(({ id }) => id)
    await inTransaction(db, async (transaction) => {
      // Before the chunks: a concurrent append either commits before the chunks are removed, or finds no track.
      await transaction.deleteFrom('tracks').where('id', 'in', ids).execute()
      await transaction.deleteFrom('chunks').where('track_id', 'in', ids).execute()
      await transaction.deleteFrom('track_details').where('track_id', 'in', ids).execute()
      await transaction.deleteFrom('followed_tracks').where('track_id', 'in', ids).execute()
    })
  }
  await db.deleteFrom('device_tracks').where('event_id', '=', eventId).execute()
  await db.deleteFrom('deleted_tracks').where('event_id', '=', eventId).execute()
  await db.deleteFrom('shares').where('event_id', '=', eventId).execute()
  await db.deleteFrom('idempotency_keys').where('owner_id', '=', eventId).execute()
  await db.deleteFrom('runners').where('event_id', '=', eventId).execute()
  await db.deleteFrom('phone_recordings').where('event_id', '=', eventId).execute()
  await db.deleteFrom('phone_devices').where('event_id', '=', eventId).execute()
  await db.deleteFrom('races').where('event_id', '=', eventId).execute()
  await inTransaction(db, (transaction) => deleteWebhooksOf(transaction, eventId))
  await db.deleteFrom('events').where('id', '=', eventId).execute()
}
