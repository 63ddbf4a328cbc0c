import type { Kysely } from 'kysely'

/**
 * Adds indices for the lists of an event with a hundred thousand tracks. The first two have every column that lists
 * filter, sort and sum up by, so the rows, ten times as large, are not read. Each index costs every batch of points
 * a few per cent, so sorting by title has none.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('tracks_by_start').execute()
  await db.schema
    .createIndex('tracks_by_start')
    .on('tracks')
    .columns(['event_id', 'start_ms', 'id', 'state', 'activity_type'])
    .execute()
  await db.schema
    .createIndex('tracks_by_change')
    .on('tracks')
    .columns([
      'event_id',
      'updated_at',
      'id',
      'state',
      'activity_type',
      'start_ms',
      'end_ms',
      'last_point_ms',
      'point_count',
      'distance_m',
    ])
    .execute()
  await db.schema
    .createIndex('tracks_by_user')
    .on('tracks')
    .columns(['event_id', 'user_id', 'start_ms', 'id'])
    .execute()
}
