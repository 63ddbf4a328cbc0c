import { type Kysely, sql } from 'kysely'
import { bytesType } from '#platform/database/column-types.ts'
import { createIdempotencyTable } from '#platform/database/idempotency.ts'

/** Every unique constraint contains the column by which a distributed database would spread the table. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createEvents(db)
  await createTracks(db)
  await createChunks(db)
  await createIdempotencyTable(db)
}

async function createEvents(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('events')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('deleted_at', 'bigint')
    .execute()
  await db.schema
    .createTable('app_tokens')
    .addColumn('token_sha256', 'text', (column) => column.primaryKey())
    .addColumn('event_id', 'text', (column) => column.notNull())
    .addColumn('sealed', bytesType(db), (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint')
    .execute()
  await db.schema.createIndex('app_tokens_by_event').on('app_tokens').column('event_id').execute()
}

async function createTracks(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('tracks')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('event_id', 'text', (column) => column.notNull())
    .addColumn('device_track_id', 'text', (column) => column.notNull())
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('activity_type', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('start_ms', 'bigint', (column) => column.notNull())
    .addColumn('end_ms', 'bigint')
    .addColumn('user_id', 'text')
    .addColumn('image_url', 'text')
    .addColumn('pauses', 'text', (column) => column.notNull())
    .addColumn('revision', 'bigint', (column) => column.notNull())
    .addColumn('point_count', 'bigint', (column) => column.notNull())
    .addColumn('last_point_ms', 'bigint')
    .addColumn('loose_chunks', 'bigint', (column) => column.notNull())
    .addColumn('given_stats', 'text')
    .addColumn('computed_stats', 'text')
    .addColumn('computed_revision', 'bigint')
    .addColumn('computed_method', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('tracks_by_start').on('tracks').columns(['event_id', 'start_ms', 'id']).execute()
  // Only tracks with something to merge are in it, so it stays small.
  await db.schema
    .createIndex('tracks_to_merge')
    .on('tracks')
    .column('id')
    .where(sql<boolean>`loose_chunks > 0`)
    .execute()
  await db.schema
    .createTable('device_tracks')
    .addColumn('event_id', 'text', (column) => column.notNull())
    .addColumn('device_track_id', 'text', (column) => column.notNull())
    .addColumn('track_id', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('device_tracks_pk', ['event_id', 'device_track_id'])
    .execute()
}

async function createChunks(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('chunks')
    .addColumn('track_id', 'text', (column) => column.notNull())
    .addColumn('first_ms', 'bigint', (column) => column.notNull())
    .addColumn('last_ms', 'bigint', (column) => column.notNull())
    .addColumn('count', 'integer', (column) => column.notNull())
    .addColumn('merged', 'integer', (column) => column.notNull())
    .addColumn('bytes', bytesType(db), (column) => column.notNull())
    .addPrimaryKeyConstraint('chunks_pk', ['track_id', 'first_ms'])
    .execute()
}
