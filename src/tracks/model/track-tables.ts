import { type CreateTableBuilder, type Kysely, PostgresAdapter, sql } from 'kysely'
import { bytesType } from '#platform/database/migrate.ts'

/** Creates the tables of tracks and of their points. */
export async function createTrackTables(db: Kysely<unknown>): Promise<void> {
  await createTracks(db)
  await createTrackDetails(db)
  await createDeviceTracks(db)
  await createChunks(db)
  await createDeletedTracks(db)
}

/**
 * A batch of points changes its track without changing an index: see docs/decisions/0005-indexes-of-tracks.md.
 * Large columns that are seldom read are in `track_details`.
 */
async function createTracks(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  await db.schema
    .createTable('tracks')
    .addColumn('id', 'text', (column) => (isPostgres ? column.primaryKey() : column.notNull()))
    .addColumn('event_id', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('activity_type', 'text', (column) => column.notNull())
    .addColumn('start_ms', 'bigint', (column) => column.notNull())
    .addColumn('end_ms', 'bigint')
    .addColumn('revision', 'bigint', (column) => column.notNull())
    .addColumn('point_count', 'bigint', (column) => column.notNull())
    .addColumn('last_point_ms', 'bigint')
    .addColumn('loose_chunks', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addColumn('coarse_updated_at', 'bigint', (column) => column.notNull())
    .addColumn('to_compact', 'bigint', (column) => column.notNull())
    .addColumn('distance_m', 'double precision')
    .addColumn('stopped_at', 'bigint')
    .addColumn('resumed_at', 'bigint')
    .addColumn('shown_from_ms', 'bigint')
    .addColumn('shown_until_ms', 'bigint')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('device_track_id', 'text', (column) => column.notNull())
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text')
    .addColumn('search_text', 'text')
    .addColumn('pauses', 'text', (column) => column.notNull())
    .addColumn('altitude_reference', 'text')
    .$call(isPostgres ? leaveRoom : keepEventsTogether)
    .execute()
  if (isPostgres) await indexTracksOfPostgres(db)
  else await indexTracksOfSqlite(db)
  await indexTracks(db)
}

type TracksBuilder = CreateTableBuilder<'tracks', 'event_id' | 'start_ms' | 'id'>

/** PostgreSQL keeps changes of a row out of all indices while its page has room for the new version of the row. */
function leaveRoom(table: TracksBuilder): TracksBuilder {
  return table.modifyEnd(sql`with (fillfactor = 80)`)
}

/**
 * SQLite keeps the rows of an event together and in the order of their start. A list by any column then reads one row
 * after the other, a list by start needs no index, and the tracks that are recorded at the same time share few pages.
 */
function keepEventsTogether(table: TracksBuilder): TracksBuilder {
  return table.addPrimaryKeyConstraint('tracks_pk', ['event_id', 'start_ms', 'id']).modifyEnd(sql`without rowid`)
}

/**
 * Creates indices for the lists of an event with a hundred thousand tracks. Each costs every batch of points a few per
 * cent, so sorting by title has none.
 */
async function indexTracks(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('tracks_by_change')
    .on('tracks')
    .columns(['event_id', 'coarse_updated_at', 'id', 'state', 'activity_type', 'start_ms'])
    .execute()
  await db.schema
    .createIndex('tracks_by_user')
    .on('tracks')
    .columns(['event_id', 'user_id', 'start_ms', 'id'])
    .execute()
  // Only tracks with chunks to merge are in it, so it stays small.
  await db.schema
    .createIndex('tracks_to_compact')
    .on('tracks')
    .column('id')
    .where(sql<boolean>`to_compact = 1`)
    .execute()
}

/**
 * The index of texts has all columns that a search compares, so that `like '%…%'` reads no rows, which are ten times as
 * large: see docs/decisions/0005-indexes-of-tracks.md.
 */
async function indexTracksOfSqlite(db: Kysely<unknown>): Promise<void> {
  await db.schema.createIndex('tracks_by_id').unique().on('tracks').column('id').execute()
  await db.schema
    .createIndex('tracks_by_text')
    .on('tracks')
    .columns(['event_id', 'start_ms', 'state', 'activity_type', 'search_text'])
    .execute()
}

/**
 * PostgreSQL finds a part of a text by its trigrams, if the extension is there or can be created. The owner of a
 * database may create it. Without it, a search reads all texts of the event. Every search reads the whole list of
 * tracks that are not in the index yet, which by default grows to four megabytes.
 */
async function indexTracksOfPostgres(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('tracks_by_start')
    .on('tracks')
    .columns(['event_id', 'start_ms', 'id', 'state', 'activity_type'])
    .execute()
  await sql`savepoint trigrams`.execute(db)
  try {
    await sql`create extension if not exists pg_trgm`.execute(db)
    const found = await sql<{ schema: string }>`
      select nspname as schema from pg_extension join pg_namespace on pg_namespace.oid = extnamespace
      where extname = 'pg_trgm'`.execute(db)
    const operators = sql.ref(`${found.rows[0].schema}.gin_trgm_ops`)
    await sql`
      create index tracks_by_trigram on tracks using gin (search_text ${operators})
      with (gin_pending_list_limit = 256)`.execute(db)
    await sql`release savepoint trigrams`.execute(db)
  } catch {
    await sql`rollback to savepoint trigrams`.execute(db)
  }
}

async function createTrackDetails(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('track_details')
    .addColumn('track_id', 'text', (column) => column.primaryKey())
    .addColumn('image_url', 'text')
    .addColumn('given_stats', 'text')
    .addColumn('computed_stats', 'text')
    .addColumn('computed_revision', 'bigint')
    .addColumn('computed_method', 'text')
    .execute()
}

/** Finds the track that a device has named, which it may create again. */
async function createDeviceTracks(db: Kysely<unknown>): Promise<void> {
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

/** Tells viewers of an event that a track is gone, also if they were away at its deletion. */
async function createDeletedTracks(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('deleted_tracks')
    .addColumn('event_id', 'text', (column) => column.notNull())
    .addColumn('track_id', 'text', (column) => column.notNull())
    .addColumn('deleted_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('deleted_tracks_pk', ['event_id', 'deleted_at', 'track_id'])
    .execute()
  await db.schema.createIndex('deleted_tracks_by_age').on('deleted_tracks').column('deleted_at').execute()
}
