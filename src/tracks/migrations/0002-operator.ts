import { type Kysely, sql } from 'kysely'
import { bytesType } from '#platform/database/column-types.ts'

/** Tracks whose words are folded by one statement. */
const TRACKS_PER_STEP = 500

/** Adds the data of the dashboard about events, tokens and tracks, and the addresses for spectators. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Dates are text, `2026-05-03`: days of a calendar, not moments.
  for (const column of ['note', 'starts_on', 'ends_on']) await addColumn(db, 'events', column, 'text')
  for (const column of ['max_tracks', 'max_points']) await addColumn(db, 'events', column, 'bigint')
  await addColumn(db, 'app_tokens', 'label', 'text')
  await addColumn(db, 'app_tokens', 'last_used_at', 'bigint')
  await addColumn(db, 'tracks', 'search_text', 'text')
  await addColumn(db, 'tracks', 'distance_m', 'double precision')
  await foldWords(db)
  await createDeletedTracks(db)
  await createShares(db)
}

async function addColumn(
  db: Kysely<unknown>,
  table: string,
  column: string,
  type: 'text' | 'bigint' | 'double precision',
): Promise<void> {
  await db.schema.alterTable(table).addColumn(column, type).execute()
}

type Words = { id: string; title: string; device_track_id: string; user_id: string | null }

/** Makes the tracks of before searchable: some ten seconds for a million of them. */
async function foldWords(db: Kysely<unknown>): Promise<void> {
  for (let after = ''; ; ) {
    const { rows } = await sql<Words>`
      select id, title, device_track_id, user_id from tracks where id > ${after} order by id limit ${TRACKS_PER_STEP}`.execute(
      db,
    )
    if (rows.length === 0) return
    const values = rows.map((row) => sql`(cast(${row.id} as text), cast(${folded(row)} as text))`)
    await sql`
      with folded (id, words) as (values ${sql.join(values)})
      update tracks set search_text = folded.words from folded where tracks.id = folded.id`.execute(db)
    after = rows[rows.length - 1].id
  }
}

/** As new tracks have it; a step of the schema keeps its own copy, so that it does today what it did at its release. */
function folded({ title, device_track_id, user_id }: Words): string {
  const text = `${title}\n${device_track_id}\n${user_id ?? ''}`
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}

/** Tells those who watch an event that a track is gone, also where they were away when it went. */
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

async function createShares(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('shares')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('event_id', 'text', (column) => column.notNull())
    .addColumn('track_id', 'text')
    .addColumn('label', 'text')
    .addColumn('token_sha256', 'text', (column) => column.notNull())
    .addColumn('sealed', bytesType(db), (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('revoked_at', 'bigint')
    .execute()
  await db.schema.createIndex('shares_by_token').on('shares').column('token_sha256').execute()
  await db.schema.createIndex('shares_by_event').on('shares').column('event_id').execute()
}
