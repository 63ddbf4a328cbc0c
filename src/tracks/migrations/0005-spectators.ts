import type { Kysely } from 'kysely'

/**
 * Adds what spectators of an event see of it: its time zone, when a runner counts as silent, a
 * delay, and which part of a track is shown.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('events').addColumn('time_zone', 'text').execute()
  for (const column of ['no_signal_after_sec', 'low_battery_percent', 'spectator_delay_sec']) {
    await db.schema.alterTable('events').addColumn(column, 'bigint').execute()
  }
  for (const column of ['shown_from_ms', 'shown_until_ms']) {
    await db.schema.alterTable('tracks').addColumn(column, 'bigint').execute()
  }
}
