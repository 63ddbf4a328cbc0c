import type { Kysely } from 'kysely'

/** Adds the tracks that the common apps of phones record: which device records which, from when until when. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('phone_devices')
    .addColumn('event_id', 'text', (column) => column.notNull())
    .addColumn('device_key', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('phone_devices_pk', ['event_id', 'device_key'])
    .execute()
  await db.schema
    .createTable('phone_recordings')
    .addColumn('event_id', 'text', (column) => column.notNull())
    .addColumn('track_id', 'text', (column) => column.notNull())
    .addColumn('device_key', 'text', (column) => column.notNull())
    .addColumn('first_ms', 'bigint', (column) => column.notNull())
    .addColumn('last_ms', 'bigint', (column) => column.notNull())
    .addColumn('phase', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('phone_recordings_pk', ['event_id', 'track_id'])
    .execute()
  await db.schema
    .createIndex('phone_recordings_by_device')
    .on('phone_recordings')
    .columns(['event_id', 'device_key', 'first_ms'])
    .execute()
  await db.schema
    .createIndex('phone_recordings_open')
    .on('phone_recordings')
    .column('last_ms')
    .where('phase' as never, '=', 'open')
    .execute()
}
