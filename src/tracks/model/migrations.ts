import { type Kysely, sql } from 'kysely'
import type { Database } from '#platform/database/database.ts'
import { createIdempotencyTable } from '#platform/database/idempotency.ts'
import { bytesType, type Migration } from '#platform/database/migrate.ts'
import { type DatabaseSettings, openDatabase } from '#platform/database/open-database.ts'
import { createInspectionTables } from '#platform/doctor/inspection-store.ts'
import { createMaintenanceTable } from '#platform/jobs/maintenance-clock.ts'
import { createWebhookTables } from '#platform/webhooks/tables.ts'
import { createFrameTables } from './frame-tables.ts'
import type { TracksTables } from './tables.ts'
import { createTrackTables } from './track-tables.ts'

/**
 * Creates the tables of the service. Every unique constraint contains the column by which a distributed database would
 * spread the table. `src/tracks/model/tables.ts` explains the columns.
 */
async function up(db: Kysely<unknown>): Promise<void> {
  await createEvents(db)
  await createAppTokens(db)
  await createShares(db)
  await createTrackTables(db)
  await createFrameTables(db)
  await createRaces(db)
  await createRunnerTimes(db)
  await createRehearsals(db)
  await createPhoneRecordings(db)
  await createErasures(db)
  await createBin(db)
  await createIdempotencyTable(db)
  await createWebhookTables(db)
  await createMaintenanceTable(db)
  await createInspectionTables(db)
}

/** Dates are text, `2026-05-03`: days of a calendar, not moments. */
async function createEvents(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('events')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('note', 'text')
    .addColumn('starts_on', 'text')
    .addColumn('ends_on', 'text')
    .addColumn('time_zone', 'text')
    .addColumn('max_tracks', 'bigint')
    .addColumn('max_points', 'bigint')
    .addColumn('no_signal_after_sec', 'bigint')
    .addColumn('low_battery_percent', 'bigint')
    .addColumn('spectator_delay_sec', 'bigint')
    .addColumn('retention_days', 'integer')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('deleted_at', 'bigint')
    .addColumn('binned_at', 'bigint')
    .addColumn('rehearsal_of', 'text')
    .execute()
}

async function createAppTokens(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('app_tokens')
    .addColumn('token_sha256', 'text', (column) => column.primaryKey())
    .addColumn('event_id', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text')
    .addColumn('permissions', 'text', (column) => column.notNull().defaultTo('record,read'))
    .addColumn('is_first', 'integer', (column) => column.notNull().defaultTo(1))
    .addColumn('label', 'text')
    .addColumn('sealed', bytesType(db), (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('last_used_at', 'bigint')
    .execute()
  await db.schema.createIndex('app_tokens_by_event').on('app_tokens').column('event_id').execute()
}

async function createShares(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('shares')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('event_id', 'text', (column) => column.notNull())
    .addColumn('track_id', 'text')
    .addColumn('label', 'text')
    .addColumn('token_sha256', 'text', (column) => column.notNull())
    .addColumn('sealed', bytesType(db), (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('revoked_at', 'bigint')
    .execute()
  await db.schema.createIndex('shares_by_token').on('shares').column('token_sha256').execute()
  await db.schema.createIndex('shares_by_event').on('shares').column('event_id').execute()
}

/** Creates the race of an event: its course with checkpoints, its start list, and the progress of each track. */
async function createRaces(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('races')
    .addColumn('event_id', 'text', (column) => column.primaryKey())
    .addColumn('revision', 'bigint', (column) => column.notNull())
    .addColumn('course_revision', 'bigint', (column) => column.notNull())
    .addColumn('starts_at_ms', 'bigint')
    .addColumn('course_name', 'text')
    .addColumn('course_length_m', 'double precision')
    .addColumn('course_climb_m', 'double precision')
    .addColumn('course_line', bytesType(db))
    .addColumn('checkpoints', 'text', (column) => column.notNull())
    .addColumn('stated_climb_m', 'double precision')
    .addColumn('heights_line', bytesType(db))
    .addColumn('heights_people', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('heights_revision', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('time_basis', 'text', (column) => column.notNull().defaultTo('gun'))
    .execute()
  await db.schema
    .createTable('runners')
    .addColumn('event_id', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('bib', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('category', 'text')
    .addColumn('status', 'text')
    .addColumn('list_order', 'integer', (column) => column.notNull())
    .addColumn('status_at_ms', 'bigint')
    .addColumn('status_place', 'text')
    .addColumn('phone', 'text')
    .addPrimaryKeyConstraint('runners_pk', ['event_id', 'user_id'])
    .addUniqueConstraint('runners_bib', ['event_id', 'bib'])
    .execute()
  await db.schema
    .createTable('followed_tracks')
    .addColumn('track_id', 'text', (column) => column.primaryKey())
    .addColumn('track_revision', 'text', (column) => column.notNull())
    .addColumn('course_revision', 'bigint', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .execute()
}

/** Creates the tracks that common phone apps record: by which device, from when until when. */
async function createPhoneRecordings(db: Kysely<unknown>): Promise<void> {
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
    .where(sql<boolean>`phase = 'open'`)
    .execute()
}

/** Creates the receipts of erasures. */
async function createErasures(db: Kysely<unknown>): Promise<void> {
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

/** Creates the times of runners that were entered or imported. None is ever changed: a correction is another row. */
async function createRunnerTimes(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('runner_times')
    .addColumn('event_id', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('checkpoint_id', 'text', (column) => column.notNull())
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('time_ms', 'bigint')
    .addColumn('noted_by', 'text', (column) => column.notNull())
    .addColumn('noted_at', 'bigint', (column) => column.notNull())
    .addColumn('noted_order', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('runner_times_pk', ['event_id', 'id'])
    .execute()
  await db.schema.createIndex('runner_times_of_user').on('runner_times').columns(['event_id', 'user_id']).execute()
}

/** Creates the tracks of the bin. */
async function createBin(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('binned_tracks')
    .addColumn('track_id', 'text', (column) => column.primaryKey())
    .addColumn('event_id', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text')
    .addColumn('binned_at', 'bigint', (column) => column.notNull())
    .addColumn('kept_since', 'bigint', (column) => column.notNull())
    .addColumn('row', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('binned_tracks_of_event').on('binned_tracks').columns(['event_id', 'binned_at']).execute()
  await db.schema.createIndex('binned_tracks_by_age').on('binned_tracks').column('binned_at').execute()
}

/** Creates the progress of rehearsals, which are copies of events. */
async function createRehearsals(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('rehearsals')
    .addColumn('event_id', 'text', (column) => column.primaryKey())
    .addColumn('rehearsed_id', 'text', (column) => column.notNull().unique())
    .addColumn('starts_ms', 'bigint', (column) => column.notNull())
    .addColumn('sent_sec', 'double precision', (column) => column.notNull())
    .addColumn('stepped_at', 'bigint', (column) => column.notNull())
    .addColumn('ended_at', 'bigint')
    .addColumn('owner', 'text')
    .addColumn('lease_until', 'bigint', (column) => column.notNull())
    .execute()
}

/** The steps of the service's schema, by name; a step never changes once released. */
export const tracksMigrations: Record<string, Migration> = {
  '0001-initial': {
    up,
    replaces: {
      lastVersion: 'Trackpress 0.1.0 as of 28 November 2026',
      names: [
        '0001-create-tables',
        '0002-create-live-frames',
        '0003-create-runner-times',
        '0004-add-status-places',
        '0005-add-altitude-reference',
        '0006-add-runner-phones',
        '0007-add-stated-climbs',
        '0008-add-event-heights',
        '0009-create-bin',
        '0010-create-rehearsals',
        '0011-add-time-basis',
      ],
    },
  },
}

/** Opens the service's database and migrates it, for the server and the admin command. */
export function openTracksDatabase(settings: DatabaseSettings): Promise<Database<TracksTables>> {
  return openDatabase<TracksTables>(settings, 'tracks', tracksMigrations)
}
