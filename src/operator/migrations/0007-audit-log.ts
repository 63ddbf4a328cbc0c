import type { Kysely } from 'kysely'
import { makeAppendOnly } from '#platform/database/append-only.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('audit_state')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('keep_ms', 'bigint', (column) => column.notNull())
    .execute()
  await (db as Kysely<{ audit_state: { id: number; keep_ms: number } }>)
    .insertInto('audit_state')
    .values({ id: 1, keep_ms: 0 })
    .execute()
  await db.schema
    .createTable('audit_log')
    .addColumn('position', 'bigint', (column) => column.primaryKey())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('source', 'text')
    .addColumn('action', 'text')
    .addColumn('actor_id', 'text')
    .addColumn('actor_name', 'text')
    .addColumn('subject_kind', 'text')
    .addColumn('subject_id', 'text')
    .addColumn('subject_name', 'text')
    .addColumn('within_kind', 'text')
    .addColumn('within_id', 'text')
    .addColumn('within_name', 'text')
    .addColumn('address', 'text')
    .addColumn('session_id', 'text')
    .addColumn('browser', 'text')
    .addColumn('request_id', 'text')
    .addColumn('count', 'integer', (column) => column.notNull())
    .addColumn('details', 'text', (column) => column.notNull())
    .addColumn('outcome_of', 'bigint', (column) => column.unique())
    .addColumn('outcome', 'text')
    .addColumn('status', 'integer')
    .addColumn('previous', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .execute()
  for (const [name, columns] of Object.entries(INDICES)) {
    await db.schema.createIndex(`audit_log_by_${name}`).on('audit_log').columns(columns).execute()
  }
  await makeAppendOnly(db, { table: 'audit_log', position: 'position', time: 'at', retention: 'audit_state' })
}

const INDICES = {
  time: ['at'],
  actor: ['actor_id', 'position'],
  action: ['action', 'position'],
  subject: ['subject_id', 'position'],
  surroundings: ['within_id', 'position'],
}
