import type { Kysely } from 'kysely'
import { bytesType } from '#platform/database/column-types.ts'

/** Adds how long an event keeps its tracks, and the receipts of what was erased. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('events').addColumn('retention_days', 'integer').execute()
  await db.schema
    .createTable('erasures')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('event_id', 'text')
    .addColumn('user_id', 'text')
    .addColumn('person_mac', 'text')
    .addColumn('sealed_key', bytesType(db))
    .addColumn('requested_by', 'text')
    .addColumn('started_at', 'bigint', (column) => column.notNull())
    .addColumn('finished_at', 'bigint')
    .addColumn('erased', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('erasures_by_age').on('erasures').columns(['started_at', 'id']).execute()
}
