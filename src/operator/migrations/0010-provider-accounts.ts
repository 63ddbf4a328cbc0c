import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('operators').addColumn('suspended_at', 'bigint').execute()
  await db.schema.alterTable('sessions').addColumn('provider_session_id', 'text').execute()
}
