import type { Kysely } from 'kysely'

/**
 * Adds when a track was stopped, and when it went on after that. Spectators of an event with a delay see its state as
 * it was known then: its end alone may be earlier than the moment in which it was finished.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('tracks').addColumn('stopped_at', 'bigint').execute()
  await db.schema.alterTable('tracks').addColumn('resumed_at', 'bigint').execute()
}
