import { type Kysely, sql } from 'kysely'
import { bytesType } from '#platform/database/migrate.ts'
import type { TracksTables } from './tables.ts'

/** Creates the frames of live views, and what instances agree on to make each of them once. */
export async function createFrameTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('live_series')
    .addColumn('event_id', 'text', (column) => column.notNull())
    .addColumn('delay_sec', 'bigint', (column) => column.notNull())
    .addColumn('owner', 'text')
    .addColumn('beat', 'bigint', (column) => column.notNull())
    .addColumn('epoch', 'bigint', (column) => column.notNull())
    .addColumn('number', 'bigint', (column) => column.notNull())
    .addColumn('key_number', 'bigint')
    .addPrimaryKeyConstraint('live_series_pk', ['event_id', 'delay_sec'])
    .execute()
  await db.schema
    .createTable('live_frames')
    .addColumn('event_id', 'text', (column) => column.notNull())
    .addColumn('delay_sec', 'bigint', (column) => column.notNull())
    .addColumn('number', 'bigint', (column) => column.notNull())
    .addColumn('as_of_ms', 'bigint', (column) => column.notNull())
    .addColumn('interval_ms', 'bigint', (column) => column.notNull())
    .addColumn('changes', bytesType(db))
    .addColumn('whole', bytesType(db))
    .addPrimaryKeyConstraint('live_frames_pk', ['event_id', 'delay_sec', 'number'])
    .execute()
}

/**
 * Removes the frames of an event, because a track is gone or spectators may see less of it. Later frames begin anew,
 * and a frame that is being made meanwhile is not stored. Their numbers follow those of all series: the address of a
 * frame with a delay was never that of one without.
 * @param begunForSec time since the track began: spectators with a longer delay have not seen it, and may not learn
 * that it is gone
 */
export async function forgetFrames(
  db: Kysely<TracksTables>,
  eventId: string,
  begunForSec = Number.MAX_SAFE_INTEGER,
): Promise<void> {
  await db
    .updateTable('live_series')
    .set((series) => ({
      epoch: sql<number>`epoch + 1`,
      key_number: null,
      number: series
        .selectFrom('live_series as every')
        .select(({ fn }) => fn.max('every.number').as('number'))
        .where('every.event_id', '=', eventId),
    }))
    .where('event_id', '=', eventId)
    .where('delay_sec', '<=', begunForSec)
    .execute()
  await db.deleteFrom('live_frames').where('event_id', '=', eventId).where('delay_sec', '<=', begunForSec).execute()
}
