import { type Kysely, sql } from 'kysely'

/** By what operators have a library of ten thousand publications sorted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('publications_by_change').execute()
  await db.schema
    .createIndex('publications_by_change')
    .on('publications')
    .columns(['workspace_id', 'updated_at', 'id'])
    .execute()
  // Of long texts the beginning, because PostgreSQL has no room for them in an index.
  await sql`create index publications_by_title on publications (workspace_id, substr(coalesce(search_text, ''), 1, 60), id)`.execute(
    db,
  )
}
