import { type Kysely, sql, type Transaction } from 'kysely'
import { inTransaction } from '#platform/database/transaction.ts'
import { eventNotFound } from '../model/errors.ts'
import type { RaceRow, RunnerRow, RunnerTimeRow, TracksTables } from '../model/tables.ts'
import { outdateFigures } from '../statistics/event-courses.ts'
import type { ListedRunner } from './start-list.ts'
import {
  addRunner,
  changeRunner,
  type RunnerChanges,
  removeRunner,
  replaceRunners,
  type TrackOfPerson,
  tracksOfPeople,
} from './start-list-store.ts'

/** Changes of a race. The store itself counts its revisions. */
type RaceChanges = Partial<Omit<RaceRow, 'event_id' | 'revision' | 'course_revision' | `heights_${string}`>>

/** The fields of a race without the line of its course, which may have megabytes. */
export type RaceSummaryRow = Omit<RaceRow, 'course_line' | `heights_${string}`>

/** The races of events: courses, checkpoints and start lists. */
export type RaceStore = ReturnType<typeof createRaceStore>

/** Rows of one statement: each has a value for nine columns. */
const TIMES_PER_INSERT = 800

const SUMMARY = [
  'event_id',
  'revision',
  'course_revision',
  'starts_at_ms',
  'time_basis',
  'course_name',
  'course_length_m',
  'course_climb_m',
  'stated_climb_m',
  'checkpoints',
] as const

export function createRaceStore(db: Kysely<TracksTables>) {
  /** Does something with the start list under the lock of its race. @throws eventNotFound */
  async function locked<Result>(
    eventId: string,
    work: (transaction: Transaction<TracksTables>) => Promise<Result>,
  ): Promise<Result> {
    return await inTransaction(db, async (transaction) => {
      await changeRace(transaction, eventId, () => ({}))
      return await work(transaction)
    })
  }

  return {
    /** Returns the race of an event, which is empty until something is stored. */
    async find(eventId: string): Promise<RaceRow> {
      const row = await db.selectFrom('races').selectAll().where('event_id', '=', eventId).executeTakeFirst()
      return row ?? emptyRace(eventId)
    },

    async findSummary(eventId: string): Promise<RaceSummaryRow> {
      const row = await db.selectFrom('races').select(SUMMARY).where('event_id', '=', eventId).executeTakeFirst()
      return row ?? emptyRace(eventId)
    },

    /**
     * Changes the race of an event under a lock. `decide` gets the current row and returns the changes.
     * @throws eventNotFound, and the errors of `decide`
     */
    change: (eventId: string, decide: (race: RaceRow) => RaceChanges): Promise<RaceRow> =>
      inTransaction(db, (transaction) => changeRace(transaction, eventId, decide)),

    /** Returns the start list, in its order. */
    async listRunners(eventId: string): Promise<RunnerRow[]> {
      return await db.selectFrom('runners').selectAll().where('event_id', '=', eventId).orderBy('list_order').execute()
    },

    async findRunner(eventId: string, userId: string): Promise<RunnerRow | undefined> {
      const query = db.selectFrom('runners').selectAll().where('event_id', '=', eventId)
      return await query.where('user_id', '=', userId).executeTakeFirst()
    },

    async findRunnerByBib(eventId: string, bib: string): Promise<RunnerRow | undefined> {
      const query = db.selectFrom('runners').selectAll().where('event_id', '=', eventId)
      return await query.where('bib', '=', bib).executeTakeFirst()
    },

    /** Returns all times that were entered or imported, in the order in which they were. */
    async listTimes(eventId: string): Promise<RunnerTimeRow[]> {
      const query = db.selectFrom('runner_times').selectAll().where('event_id', '=', eventId)
      return await query.orderBy('noted_order').orderBy('id').execute()
    },

    /** Returns the entered and imported times of a runner, the latest first. */
    async listTimesOf(eventId: string, userId: string): Promise<RunnerTimeRow[]> {
      const query = db.selectFrom('runner_times').selectAll().where('event_id', '=', eventId)
      return await query.where('user_id', '=', userId).orderBy('noted_order', 'desc').orderBy('id').execute()
    },

    /** Adds times that were entered or imported. @throws eventNotFound */
    async noteTimes(eventId: string, times: readonly Omit<RunnerTimeRow, 'event_id' | 'noted_order'>[]): Promise<void> {
      await inTransaction(db, async (transaction) => {
        const { revision } = await changeRace(transaction, eventId, () => ({}))
        const rows = times.map((time) => ({ ...time, event_id: eventId, noted_order: revision }))
        for (let i = 0; i < rows.length; i += TIMES_PER_INSERT) {
          await transaction
            .insertInto('runner_times')
            .values(rows.slice(i, i + TIMES_PER_INSERT))
            .execute()
        }
      })
    },

    async countRunners(eventId: string): Promise<number> {
      const { count } = await db
        .selectFrom('runners')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('event_id', '=', eventId)
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    /**
     * Replaces the start list. A runner with the same bib, or else the same `user_id`, keeps a phone number and a
     * status about which the list says nothing, the latter with its time and place.
     * @throws eventNotFound
     */
    replaceRunners: (eventId: string, runners: readonly ListedRunner[]): Promise<void> =>
      locked(eventId, (transaction) => replaceRunners(transaction, eventId, runners)),

    /** Adds a runner at the end of the start list. @throws eventNotFound, and problems with fields that are taken */
    addRunner: (eventId: string, runner: ListedRunner): Promise<RunnerRow> =>
      locked(eventId, (transaction) => addRunner(transaction, eventId, runner)),

    /**
     * Changes a runner; `decide` gets the present one and returns the changes. Its `user_id` stays.
     * @returns the runner; undefined if there is none
     * @throws eventNotFound, the errors of `decide`, and a problem with a bib that is taken
     */
    changeRunner: (
      eventId: string,
      userId: string,
      decide: (runner: RunnerRow) => RunnerChanges,
    ): Promise<RunnerRow | undefined> =>
      locked(eventId, (transaction) => changeRunner(transaction, eventId, userId, decide)),

    /** Removes a runner. The times that were noted stay. @returns false if there is none. @throws eventNotFound */
    removeRunner: (eventId: string, userId: string): Promise<boolean> =>
      locked(eventId, (transaction) => removeRunner(transaction, eventId, userId)),

    /** Returns the tracks of people in an event, in no order. */
    tracksOfPeople: (eventId: string): Promise<TrackOfPerson[]> => tracksOfPeople(db, eventId),
  }
}

function emptyRace(eventId: string): RaceRow {
  return {
    event_id: eventId,
    revision: 0,
    course_revision: 0,
    starts_at_ms: null,
    time_basis: 'gun',
    course_name: null,
    course_length_m: null,
    course_climb_m: null,
    stated_climb_m: null,
    course_line: null,
    heights_line: null,
    heights_people: 0,
    heights_revision: 0,
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
  const isOtherLine = changes.course_line !== undefined
  if (isOtherLine) await outdateFigures(transaction, eventId)
  return await transaction
    .updateTable('races')
    .set({
      ...changes,
      ...(isOtherLine && { heights_line: null, heights_people: 0, heights_revision: row.heights_revision + 1 }),
      revision: row.revision + 1,
      course_revision: row.course_revision + (changesCourse ? 1 : 0),
    })
    .where('event_id', '=', eventId)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** The state of a track that is followed, as JSON, and the revisions of its input. */
type StoredFollowedTrack = {
  track_id: string
  track_revision: string
  course_revision: number
  state: string
}

/** The tracks that have been followed along the course of their event. */
export type FollowedTracksStore = ReturnType<typeof createFollowedTracksStore>

/** Rows of one statement. */
const ROWS_PER_STATEMENT = 200

export function createFollowedTracksStore(db: Kysely<TracksTables>) {
  return {
    /** Returns the stored states of these tracks, of any revision. */
    async find(trackIds: readonly string[]): Promise<StoredFollowedTrack[]> {
      const found: StoredFollowedTrack[] = []
      for (let i = 0; i < trackIds.length; i += ROWS_PER_STATEMENT) {
        const ids = trackIds.slice(i, i + ROWS_PER_STATEMENT)
        found.push(...(await db.selectFrom('followed_tracks').selectAll().where('track_id', 'in', ids).execute()))
      }
      return found
    },

    /** Stores tracks. Tracks deleted meanwhile are left out. */
    async save(rows: readonly StoredFollowedTrack[]): Promise<void> {
      for (let i = 0; i < rows.length; i += ROWS_PER_STATEMENT)
        await saveSome(db, rows.slice(i, i + ROWS_PER_STATEMENT))
    },

    /** Removes the states of tracks that no longer exist. */
    async removeLost(): Promise<void> {
      const isLost = sql<boolean>`not exists (select 1 from tracks where tracks.id = followed_tracks.track_id)`
      await db.deleteFrom('followed_tracks').where(isLost).execute()
    },
  }
}

/**
 * Stores some tracks, without a lock: they can lie on several machines. One that is deleted at this moment may leave
 * a row behind, which `removeLost` removes.
 */
async function saveSome(db: Kysely<TracksTables>, rows: readonly StoredFollowedTrack[]): Promise<void> {
  const ids = rows.map(({ track_id }) => track_id)
  const tracks = await db.selectFrom('tracks').select('id').where('id', 'in', ids).execute()
  const kept = new Set(tracks.map(({ id }) => id))
  const values = rows.filter(({ track_id }) => kept.has(track_id))
  if (values.length === 0) return
  await db
    .insertInto('followed_tracks')
    .values(values)
    .onConflict((conflict) =>
      conflict.column('track_id').doUpdateSet((row) => ({
        track_revision: row.ref('excluded.track_revision'),
        course_revision: row.ref('excluded.course_revision'),
        state: row.ref('excluded.state'),
      })),
    )
    .execute()
}
