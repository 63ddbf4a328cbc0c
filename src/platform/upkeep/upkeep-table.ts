import type { Kysely } from 'kysely'

/** Creates the table of the time that upkeep has reached, for the migrations of the services. */
export async function createUpkeepTable(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('upkeep')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('reached_at', 'bigint', (column) => column.notNull())
    .execute()
}
