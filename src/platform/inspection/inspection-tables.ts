import type { Kysely } from 'kysely'

/**
 * State of a service's data, as far as it is known. There is one row, with the id 1. Times are milliseconds since 1970.
 */
type InspectionsRow = {
  id: number
  /** The last backup that has this database, and has been completed; null if there is none. */
  backed_up_at: number | null
  /** Number of the round through all stored data that runs, or has run last; 0 before the first. */
  round: number
  round_started_at: number | null
  /** Null while a round runs. */
  round_ended_at: number | null
  /** JSON of the place that the round has reached; null at its beginning. */
  position: string | null
  /** The instance that goes on with the round, exclusively until `lease_until`. */
  lease_owner: string | null
  lease_until: number | null
}

/** Something stored that is not as it was written. */
export type DamageRow = {
  /** Key of the stored file, or the track with the time of its chunk. */
  key: string
  kind: 'file' | 'chunk'
  problem: 'missing' | 'damaged'
  /** Explanation for operators. */
  detail: string
  /** The publication, map file or track. */
  subject_id: string | null
  found_at: number
  /** Time at which it was last found to be so. */
  seen_at: number
}

/** The tables of a service's inspection, in its own database, because a service can run alone. */
export type InspectionTables = { inspections: InspectionsRow; damages: DamageRow }

/** The places of the tables in a distributed database. */
export const inspectionLayout = { inspections: 'coordinator', damages: 'coordinator' } as const

/** Creates the tables, for a service's migrations. */
export async function createInspectionTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('inspections')
    .addColumn('id', 'bigint', (column) => column.primaryKey())
    .addColumn('backed_up_at', 'bigint')
    .addColumn('round', 'bigint', (column) => column.notNull())
    .addColumn('round_started_at', 'bigint')
    .addColumn('round_ended_at', 'bigint')
    .addColumn('position', 'text')
    .addColumn('lease_owner', 'text')
    .addColumn('lease_until', 'bigint')
    .execute()
  await db.schema
    .createTable('damages')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('problem', 'text', (column) => column.notNull())
    .addColumn('detail', 'text', (column) => column.notNull())
    .addColumn('subject_id', 'text')
    .addColumn('found_at', 'bigint', (column) => column.notNull())
    .addColumn('seen_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('damages_by_subject').on('damages').column('subject_id').execute()
  await (db as Kysely<InspectionTables>)
    .insertInto('inspections')
    .values({ ...NOTHING_YET, id: 1 })
    .execute()
}

const NOTHING_YET = {
  backed_up_at: null,
  round: 0,
  round_started_at: null,
  round_ended_at: null,
  position: null,
  lease_owner: null,
  lease_until: null,
}
