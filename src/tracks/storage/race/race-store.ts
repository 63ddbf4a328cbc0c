import type { Kysely, Transaction } from 'kysely'
import { inTransaction } from '#platform/database/transaction.ts'
import { eventNotFound } from '../../errors.ts'
import type { RaceRow, RunnerRow, TracksTables } from '../tables.ts'

/** Changes of a race. The store itself counts its revisions. */
type RaceChanges = Partial<Omit<RaceRow, 'event_id' | 'revision' | 'course_revision'>>

/** The fields of a race without the line of its course, which may have megabytes. */
export type RaceSummaryRow = Omit<RaceRow, 'course_line'>

/** The races of events: courses, checkpoints and start lists. */
export type RaceStore = {
  /** Returns the race of an event, which is empty until something is stored. */
  find(eventId: string): Promise<RaceRow>
  findSummary(eventId: string): Promise<RaceSummaryRow>
  /**
   * Changes the race of an event under a lock. `decide` gets the current row and returns the changes; what it throws is
   * thrown.
   * @throws eventNotFound
   */
  change(eventId: string, decide: (race: RaceRow) => RaceChanges): Promise<RaceRow>
  /** Returns the start list, in its order. */
  listRunners(eventId: string): Promise<RunnerRow[]>
  countRunners(eventId: string): Promise<number>
  /** Replaces the start list. @throws eventNotFound */
  replaceRunners(eventId: string, runners: readonly Omit<RunnerRow, 'event_id' | 'list_order'>[]): Promise<void>
  /** Sets the status of a runner. @returns the runner; undefined if there is none. @throws eventNotFound */
  setStatus(eventId: string, userId: string, status: RunnerRow['status']): Promise<RunnerRow | undefined>
}

/** Rows of one statement: each has a value for seven columns. */
const RUNNERS_PER_INSERT = 1000

const SUMMARY = [
  'event_id',
  'revision',
  'course_revision',
  'starts_at_ms',
  'course_name',
  'course_length_m',
  'course_climb_m',
  'checkpoints',
] as const

export function createRaceStore(db: Kysely<TracksTables>): RaceStore {
  return {
    async find(eventId) {
      const row = await db.selectFrom('races').selectAll().where('event_id', '=', eventId).executeTakeFirst()
      return row ?? emptyRace(eventId)
    },

    async findSummary(eventId) {
      const row = await db.selectFrom('races').select(SUMMARY).where('event_id', '=', eventId).executeTakeFirst()
      return row ?? emptyRace(eventId)
    },

    change: (eventId, decide) => inTransaction(db, (transaction) => changeRace(transaction, eventId, decide)),

    async listRunners(eventId) {
      return await db.selectFrom('runners').selectAll().where('event_id', '=', eventId).orderBy('list_order').execute()
    },

    async countRunners(eventId) {
      const { count } = await db
        .selectFrom('runners')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('event_id', '=', eventId)
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    async replaceRunners(eventId, runners) {
      const rows = runners.map((runner, i) => ({ ...runner, event_id: eventId, list_order: i + 1 }))
      await inTransaction(db, async (transaction) => {
        await changeRace(transaction, eventId, () => ({}))
        await transaction.deleteFrom('runners').where('event_id', '=', eventId).execute()
        for (let i = 0; i < rows.length; i += RUNNERS_PER_INSERT) {
          await transaction
            .insertInto('runners')
            .values(rows.slice(i, i + RUNNERS_PER_INSERT))
            .execute()
        }
      })
    },

    async setStatus(eventId, userId, status) {
      return await inTransaction(db, async (transaction) => {
        await changeRace(transaction, eventId, () => ({}))
        return await transaction
          .updateTable('runners')
          .set({ status })
          .where('event_id', '=', eventId)
          .where('user_id', '=', userId)
          .returningAll()
          .executeTakeFirst()
      })
    },
  }
}

function emptyRace(eventId: string): RaceRow {
  return {
    event_id: eventId,
    revision: 0,
    course_revision: 0,
    starts_at_ms: null,
    course_name: null,
    course_length_m: null,
    course_climb_m: null,
    course_line: null,
    checkpoints: '[]',
  }
}

/** Changes the locked row of a race. The lock on the event keeps a deletion from leaving the race behind. */
async function changeRace(
  transaction: Transaction<TracksTables>,
  eventId: string,
  decide: (race: RaceRow) => RaceChanges,
): Promise<RaceRow> {
  const event = await transaction
    .selectFrom('events')
    .select('id')
    .where('id', '=', eventId)
    .where('deleted_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  if (event === undefined) throw eventNotFound()
  const insert = transaction.insertInto('races').values(emptyRace(eventId))
  await insert.onConflict((conflict) => conflict.column('event_id').doNothing()).execute()
  const row = await transaction
    .selectFrom('races')
    .selectAll()
    .where('event_id', '=', eventId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const changes = decide(row)
  const changesCourse = changes.course_line !== undefined || changes.checkpoints !== undefined
  return await transaction
    .updateTable('races')
    .set({
      ...changes,
      revision: row.revision + 1,
      course_revision: row.course_revision + (changesCourse ? 1 : 0),
    })
    .where('event_id', '=', eventId)
    .returningAll()
    .executeTakeFirstOrThrow()
}
