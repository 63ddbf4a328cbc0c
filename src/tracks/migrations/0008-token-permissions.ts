import type { Kysely } from 'kysely'

/**
 * Adds what a token may do, and the person to whom it is bound. Tokens of before may record and read, but no longer
 * delete: every phone carries them. All of them count as first tokens, which `events rotate` ends.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('app_tokens')
    .addColumn('permissions', 'text', (column) => column.notNull().defaultTo('record,read'))
    .execute()
  await db.schema.alterTable('app_tokens').addColumn('user_id', 'text').execute()
  await db.schema
    .alterTable('app_tokens')
    .addColumn('is_first', 'integer', (column) => column.notNull().defaultTo(1))
    .execute()
}
