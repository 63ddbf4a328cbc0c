import { type Kysely, sql } from 'kysely'

/**
 * What operators see of an event with a hundred thousand tracks. The first two indices hold all that lists filter, sort and
 * sum up by, so that they are read alone and not the rows, which are ten times as large.
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
  // As lists are sorted by title; of long texts the beginning, because PostgreSQL has no room for them in an index.
  await sql`create index tracks_by_title on tracks (event_id, substr(coalesce(search_text, ''), 1, 60), id)`.execute(db)
  await db.schema
    .createIndex('tracks_by_user')
    .on('tracks')
    .columns(['event_id', 'user_id', 'start_ms', 'id'])
    .execute()
}
