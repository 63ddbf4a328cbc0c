import { type Kysely, PostgresAdapter, sql } from 'kysely'

/**
 * Shortens the list of tracks that PostgreSQL has not entered into the index of trigrams yet. Every search reads it
 * from its beginning to its end, and by default it grows to four megabytes: see docs/decisions/0028-search-by-index.md.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return
  await sql`alter index if exists tracks_by_trigram set (gin_pending_list_limit = 256)`.execute(db)
}
