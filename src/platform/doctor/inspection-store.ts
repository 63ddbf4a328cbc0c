import type { Kysely } from 'kysely'

/** A round through all stored data: its number, when it began, and the place that it has reached. */
export type Round = { number: number; startedMs: number; position: string | null }

/** A finding to be noted. */
export type FoundDamage = Omit<DamageRow, 'found_at' | 'seen_at'>

export type InspectionStore = ReturnType<typeof createInspectionStore>

/** Opens the records about the state of a service's data. Queries fail on a database of an older version. */
export function createInspectionStore(db: Kysely<InspectionTables>) {
  return { ...createRounds(db), ...createDamages(db) }
}

/** Opens the times of backups and of looks at all data. */
export function createRounds(db: Kysely<InspectionTables>) {
  const own = () => db.updateTable('inspections').where('id', '=', 1)

  return {
    async backedUpMs(): Promise<number | null> {
      return (await db.selectFrom('inspections').select('backed_up_at').executeTakeFirst())?.backed_up_at ?? null
    },

    async noteBackup(atMs: number): Promise<void> {
      await own().set({ backed_up_at: atMs }).execute()
    },

    /** Returns the end of the last complete round; null before the first. */
    async roundEndedMs(): Promise<number | null> {
      return (await db.selectFrom('inspections').select('round_ended_at').executeTakeFirst())?.round_ended_at ?? null
    },

    /** Takes or renews the lease, unless another instance has it. @returns true if it is held */
    async lease(owner: string, nowMs: number, untilMs: number): Promise<boolean> {
      const { numUpdatedRows } = await own()
        .where((is) =>
          is.or([is('lease_owner', 'is', null), is('lease_owner', '=', owner), is('lease_until', '<', nowMs)]),
        )
        .set({ lease_owner: owner, lease_until: untilMs })
        .executeTakeFirst()
      return Number(numUpdatedRows) === 1
    },

    async release(owner: string): Promise<void> {
      await own().where('lease_owner', '=', owner).set({ lease_owner: null, lease_until: null }).execute()
    },

    /** Returns the round that runs, or begins one if the last began before `dueMs`. For who holds the lease. */
    async currentRound(nowMs: number, dueMs: number): Promise<Round | undefined> {
      const row = await db.selectFrom('inspections').selectAll().executeTakeFirst()
      if (row === undefined) return undefined
      const { round, round_started_at, round_ended_at, position } = row
      if (round_started_at !== null && round_ended_at === null)
        return { number: round, startedMs: round_started_at, position }
      // A time in the future comes from a clock that was wrong.
      if (round_started_at !== null && round_started_at > dueMs && round_started_at <= nowMs) return undefined
      await own()
        .set({ round: round + 1, round_started_at: nowMs, round_ended_at: null, position: null })
        .execute()
      return { number: round + 1, startedMs: nowMs, position: null }
    },

    async reached(owner: string, position: string): Promise<void> {
      await own().where('lease_owner', '=', owner).set({ position }).execute()
    },

    /** Ends a round: damage that it has not found again is forgotten. */
    async endRound({ startedMs }: Round, owner: string, nowMs: number): Promise<void> {
      const { numUpdatedRows } = await own()
        .where('lease_owner', '=', owner)
        .set({ round_ended_at: nowMs, position: null })
        .executeTakeFirst()
      if (Number(numUpdatedRows) === 1) await db.deleteFrom('damages').where('seen_at', '<', startedMs).execute()
    },
  }
}

/** Opens the list of missing and damaged data. */
export function createDamages(db: Kysely<InspectionTables>) {
  return {
    /** Notes damage. @returns true if it was not known */
    async note(found: FoundDamage, nowMs: number): Promise<boolean> {
      const isKnown = (await this.problemOf(found.key)) === found.problem
      await db
        .insertInto('damages')
        .values({ ...found, found_at: nowMs, seen_at: nowMs })
        .onConflict((conflict) =>
          conflict.column('key').doUpdateSet({ problem: found.problem, detail: found.detail, seen_at: nowMs }),
        )
        .execute()
      return !isKnown
    },

    async problemOf(key: string): Promise<DamageRow['problem'] | undefined> {
      return (await db.selectFrom('damages').select('problem').where('key', '=', key).executeTakeFirst())?.problem
    },

    /** Forgets damage that is mended. */
    async forget(key: string): Promise<void> {
      await db.deleteFrom('damages').where('key', '=', key).execute()
    },

    async ofSubject(subjectId: string): Promise<DamageRow[]> {
      return await db.selectFrom('damages').selectAll().where('subject_id', '=', subjectId).orderBy('key').execute()
    },

    /** Returns the ids, at most 10,000, of things with damaged chunks. */
    async damagedSubjects(): Promise<string[]> {
      const rows = await db
        .selectFrom('damages')
        .select('subject_id')
        .distinct()
        .where('kind', '=', 'chunk')
        .limit(10_000)
        .execute()
      return rows.flatMap(({ subject_id }) => subject_id ?? [])
    },

    async list(limit: number): Promise<DamageRow[]> {
      return await db.selectFrom('damages').selectAll().orderBy('key').limit(limit).execute()
    },

    async counts(): Promise<{ kind: DamageRow['kind']; problem: DamageRow['problem']; count: number }[]> {
      const rows = await db
        .selectFrom('damages')
        .select((all) => ['kind', 'problem', all.fn.countAll<number>().as('count')])
        .groupBy(['kind', 'problem'])
        .execute()
      return rows.map((row) => ({ ...row, count: Number(row.count) }))
    },
  }
}

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
