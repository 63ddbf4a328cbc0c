import type { Kysely } from 'kysely'
import { bytesType } from '#platform/database/column-types.ts'

/**
 * Adds the race of an event: its course with checkpoints, its start list, and how far each
 * track has been followed along the course.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
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
