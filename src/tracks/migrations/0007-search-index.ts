import { type Kysely, PostgresAdapter } from 'kysely'

/**
 * Makes `like '%…%'` on the text of tracks quick on SQLite: an index with all columns that the search compares, so that
 * rows, ten times as large, are not read. PostgreSQL limits index entries to 2.7 kB, and would write a trigram index
 * with every batch of points: see docs/decisions/0028-search-by-index.md.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (db.getExecutor().adapter instanceof PostgresAdapter) return
  await db.schema
    .createIndex('tracks_by_text')
    .on('tracks')
    .columns(['event_id', 'start_ms', 'state', 'activity_type', 'search_text'])
    .execute()
}
