import { type Kysely, PostgresAdapter, sql } from 'kysely'

/**
 * Lets a batch of points change its track without changing an index. What is large and seldom read moves to a table of
 * its own; a time that is at most ten minutes behind replaces `updated_at` in the index of changes, and a mark replaces
 * the count of chunks in the index of tracks to compact. See docs/decisions/0033-batches-change-no-index.md.
 *
 * Takes some seconds for 100,000 tracks, which are written anew.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createDetails(db)
  await sql`drop index tracks_by_change`.execute(db)
  await sql`drop index tracks_to_merge`.execute(db)
  if (db.getExecutor().adapter instanceof PostgresAdapter) {
    await narrowInPlace(db)
    await indexTrigrams(db)
  } else await narrowByCopy(db)
  await db.schema
    .createIndex('tracks_by_change')
    .on('tracks')
    .columns(['event_id', 'coarse_updated_at', 'id', 'state', 'activity_type', 'start_ms'])
    .execute()
  await db.schema
    .createIndex('tracks_to_compact')
    .on('tracks')
    .column('id')
    .where(sql<boolean>`to_compact = 1`)
    .execute()
}

const DETAILS = sql.raw('image_url, given_stats, computed_stats, computed_revision, computed_method')

async function createDetails(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('track_details')
    .addColumn('track_id', 'text', (column) => column.primaryKey())
    .addColumn('image_url', 'text')
    .addColumn('given_stats', 'text')
    .addColumn('computed_stats', 'text')
    .addColumn('computed_revision', 'bigint')
    .addColumn('computed_method', 'text')
    .execute()
  await sql`
    insert into track_details (track_id, ${DETAILS}) select id, ${DETAILS} from tracks
    where image_url is not null or given_stats is not null or computed_stats is not null`.execute(db)
}

/**
 * PostgreSQL keeps changes of a row out of all indexes while its page has room for the new version. Changing a type, if
 * only to the same one, writes the table anew, with that room and without the dropped columns.
 */
async function narrowInPlace(db: Kysely<unknown>): Promise<void> {
  for (const column of ['image_url', 'given_stats', 'computed_stats', 'computed_revision', 'computed_method']) {
    await db.schema.alterTable('tracks').dropColumn(column).execute()
  }
  await sql`alter table tracks add column to_compact bigint not null default 1`.execute(db)
  await sql`alter table tracks alter column to_compact drop default`.execute(db)
  await sql`alter table tracks add column coarse_updated_at bigint`.execute(db)
  await sql`alter table tracks set (fillfactor = 80)`.execute(db)
  await sql`alter table tracks alter column coarse_updated_at type bigint using updated_at`.execute(db)
  await sql`alter table tracks alter column coarse_updated_at set not null`.execute(db)
}

/**
 * Finds a part of a text by its trigrams, if the extension is there or can be created. It is one that the owner of a
 * database may create. Without it, a search reads all texts of the event, as before.
 */
async function indexTrigrams(db: Kysely<unknown>): Promise<void> {
  await sql`savepoint trigrams`.execute(db)
  try {
    await sql`create extension if not exists pg_trgm`.execute(db)
    const found = await sql<{ schema: string }>`
      select nspname as schema from pg_extension join pg_namespace on pg_namespace.oid = extnamespace
      where extname = 'pg_trgm'`.execute(db)
    const operators = sql.ref(`${found.rows[0].schema}.gin_trgm_ops`)
    await sql`create index tracks_by_trigram on tracks using gin (search_text ${operators})`.execute(db)
    await sql`release savepoint trigrams`.execute(db)
  } catch {
    await sql`rollback to savepoint trigrams`.execute(db)
  }
}

/**
 * SQLite keeps the rows of an event together and in the order of their start. A list by any column then reads one row
 * after the other, a list by start needs no index, and the tracks that are recorded at the same time share few pages.
 */
async function narrowByCopy(db: Kysely<unknown>): Promise<void> {
  const columns = sql.raw(
    `id, event_id, state, activity_type, start_ms, end_ms, revision, point_count, last_point_ms, loose_chunks, updated_at,
    distance_m, shown_from_ms, shown_until_ms, created_at, device_track_id, title, user_id, search_text, pauses`,
  )
  await sql`
    create table narrow_tracks (
      id text not null,
      event_id text not null,
      state text not null,
      activity_type text not null,
      start_ms bigint not null,
      end_ms bigint,
      revision bigint not null,
      point_count bigint not null,
      last_point_ms bigint,
      loose_chunks bigint not null,
      updated_at bigint not null,
      distance_m double precision,
      coarse_updated_at bigint not null,
      to_compact bigint not null,
      shown_from_ms bigint,
      shown_until_ms bigint,
      created_at bigint not null,
      device_track_id text not null,
      title text not null,
      user_id text,
      search_text text,
      pauses text not null,
      primary key (event_id, start_ms, id)
    ) without rowid`.execute(db)
  await sql`
    insert into narrow_tracks (${columns}, coarse_updated_at, to_compact)
    select ${columns}, updated_at, 1 from tracks order by event_id, start_ms, id`.execute(db)
  await db.schema.dropTable('tracks').execute()
  await sql`alter table narrow_tracks rename to tracks`.execute(db)
  await db.schema.createIndex('tracks_by_id').unique().on('tracks').column('id').execute()
  await createIndexes(db)
}

/** Creates the other indexes as they were. */
async function createIndexes(db: Kysely<unknown>): Promise<void> {
  const create = (name: string, columns: string[]) =>
    db.schema.createIndex(name).on('tracks').columns(columns).execute()
  await create('tracks_by_user', ['event_id', 'user_id', 'start_ms', 'id'])
  await create('tracks_by_text', ['event_id', 'start_ms', 'state', 'activity_type', 'search_text'])
}
