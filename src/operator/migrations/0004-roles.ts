import type { Kysely } from 'kysely'

/**
 * Every operator so far could do everything, and so is an owner. The default also serves an instance of the previous
 * release that adds operators while this one is starting.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('operators')
    .addColumn('role', 'text', (column) => column.notNull().defaultTo('owner'))
    .execute()
  await db.schema
    .alterTable('operators')
    .addColumn('is_limited', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema
    .createTable('operator_grants')
    .addColumn('operator_id', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('subject_id', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('operator_grants_key', ['operator_id', 'kind', 'subject_id'])
    .execute()
  await db.schema.alterTable('sessions').addColumn('confirmed_at', 'bigint').execute()
}
