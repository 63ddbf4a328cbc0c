import type { Kysely } from 'kysely'

/** Limits of workspaces, and an index of tickets that are outstanding. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['max_bytes', 'max_publications'])
    await db.schema.alterTable('workspaces').addColumn(column, 'bigint').execute()
  await db.schema
    .createIndex('uploads_outstanding')
    .on('uploads')
    .columns(['workspace_id', 'blob_key', 'expires_at'])
    .execute()
}
