import type { Kysely } from 'kysely'

/**
 * Adds what an API key may do, its name, and its latest use. Keys of before may do everything, and count as
 * first keys, which `workspaces rotate` ends.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('api_keys')
    .addColumn('permissions', 'text', (column) => column.notNull().defaultTo('publish,read'))
    .execute()
  await db.schema
    .alterTable('api_keys')
    .addColumn('is_first', 'integer', (column) => column.notNull().defaultTo(1))
    .execute()
  await db.schema.alterTable('api_keys').addColumn('label', 'text').execute()
  await db.schema.alterTable('api_keys').addColumn('last_used_at', 'bigint').execute()
}
