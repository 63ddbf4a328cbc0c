import type { Kysely, Transaction } from 'kysely'
import { boundedCache } from '#platform/basics/bounded-cache.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import type { TrackHeadRow, TracksTables } from '../model/tables.ts'
import { decodePauses } from '../model/track-state.ts'
import { readChunksOfTracks } from '../points/storage/chunks-store.ts'
import type { StoredHeights } from './course-line.ts'
import type { ComputingDeps } from './points-pool.ts'

/** Returns the heights of an event's course as they are stored; undefined without a course, or without heights. */
export type CourseOf = (eventId: string) => Promise<StoredHeights | undefined>

/** Courses kept by one instance; a long one has some hundred kilobytes. */
const MAX_KEPT = 64

/** Reads the courses of events. One that has not changed is not sent again by the database. */
export function createCourseOf(db: Kysely<TracksTables>): CourseOf {
  const kept = boundedCache<{ revision: number; heightsRevision: number; heights: StoredHeights }>(MAX_KEPT)
  return async (eventId) => {
    const known = kept.get(eventId)
    const row = await db
      .selectFrom('races')
      .select(({ and, eb, val }) => [
        'course_revision',
        'heights_revision',
        eb
          .case()
          .when(
            and([
              eb('course_revision', '=', known?.revision ?? -1),
              eb('heights_revision', '=', known?.heightsRevision ?? -1),
            ]),
          )
          .then(val(null))
          .else(eb.fn.coalesce('heights_line', 'course_line'))
          .end()
          .$castTo<Uint8Array | null>()
          .as('changed_line'),
        eb
          .case()
          .when('heights_line', 'is', null)
          .then('course')
          .else('event')
          .end()
          .$castTo<StoredHeights['source']>()
          .as('source'),
      ])
      .where('event_id', '=', eventId)
      // Without altitudes, a course has no climb.
      .where('course_climb_m', 'is not', null)
      .executeTakeFirst()
    if (row === undefined) return undefined
    if (row.changed_line === null) return known?.heights
    const heights = { line: new Uint8Array(row.changed_line), source: row.source }
    kept.set(eventId, { revision: row.course_revision, heightsRevision: row.heights_revision, heights })
    return heights
  }
}

/** Climbs of tracks along a course depend on its heights: stored and kept ones are of another revision now. */
export async function outdateFigures(transaction: Transaction<TracksTables>, eventId: string): Promise<void> {
  await transaction
    .updateTable('tracks')
    .set(({ eb }) => ({ revision: eb('revision', '+', 1) }))
    .where('event_id', '=', eventId)
    .where('point_count', '>', 0)
    .execute()
}

/** Numbers of people from which heights are compared, and compared again: figures change that often at most. */
const PEOPLE = [10, 20, 40, 80, 160] as const
const MOST_PEOPLE = PEOPLE[PEOPLE.length - 1]
/** Tracks read for one task: a few megabytes, and some hundred milliseconds of a thread. */
const TRACKS_PER_TASK = 8

const COLUMNS = ['id', 'user_id', 'point_count', 'activity_type', 'altitude_reference', 'pauses'] as const
type FinishedTrack = Pick<TrackHeadRow, (typeof COLUMNS)[number]>

/**
 * Creates the job that compares the phones along each course with heights, once enough people have finished, and has
 * the figures of the event's tracks computed again. Of each person, the longest track counts.
 */
export function createEventHeights({ db, pool, turns, maxAccuracyMeters }: ComputingDeps) {
  /** Times of the latest change by event when it was looked at, so that one of the past costs one query. */
  const lookedAtMs = new Map<string, number | null>()

  async function update(eventId: string): Promise<void> {
    const race = await db
      .selectFrom('races')
      .select(['course_line', 'course_revision', 'heights_people'])
      .where('event_id', '=', eventId)
      .executeTakeFirst()
    if (!race?.course_line) return
    const tracks = await longestTracks(db, eventId)
    const people = PEOPLE.findLast((count) => count <= tracks.length) ?? 0
    if (people <= race.heights_people) return
    const line = new Uint8Array(race.course_line)
    const phones: Float64Array[] = []
    for (let i = 0; i < people; i += TRACKS_PER_TASK) {
      const some = tracks.slice(i, Math.min(people, i + TRACKS_PER_TASK))
      phones.push(...(await turns.take('maintenance', () => heightsOf(line, some))))
    }
    const heights_line = (await turns.take('maintenance', () => pool.eventHeights({ line, phones }))) ?? null
    await inTransaction(db, async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable('races')
        .set(({ eb }) => ({ heights_line, heights_people: people, heights_revision: eb('heights_revision', '+', 1) }))
        .where('event_id', '=', eventId)
        // Another instance was faster, or the course is another one now.
        .where('heights_people', '<', people)
        .where('course_revision', '=', race.course_revision)
        .executeTakeFirstOrThrow()
      if (numUpdatedRows > 0n && heights_line !== null) await outdateFigures(transaction, eventId)
    })
  }

  async function heightsOf(line: Uint8Array, tracks: readonly FinishedTrack[]): Promise<Float64Array[]> {
    const chunks = await readChunksOfTracks(db, tracks)
    return await pool.heightsAlong({
      line,
      tracks: tracks.map(({ pauses, activity_type, altitude_reference }, i) => ({
        chunks: chunks[i],
        pauses: decodePauses(pauses),
        settings: { activityType: activity_type, altitudeReference: altitude_reference, maxAccuracyMeters },
      })),
    })
  }

  return {
    /** Looks at every event whose tracks have changed since the last time. */
    async update(): Promise<void> {
      const races = await db
        .selectFrom('races')
        .select('event_id')
        .where('course_climb_m', 'is not', null)
        .where('heights_people', '<', MOST_PEOPLE)
        .execute()
      for (const { event_id } of races) {
        const { last_ms } = await db
          .selectFrom('tracks')
          .select(({ fn }) => fn.max('updated_at').as('last_ms'))
          .where('event_id', '=', event_id)
          .executeTakeFirstOrThrow()
        if (lookedAtMs.get(event_id) === last_ms) continue
        await update(event_id)
        lookedAtMs.set(event_id, last_ms)
      }
      const known = new Set(races.map(({ event_id }) => event_id))
      for (const eventId of lookedAtMs.keys()) if (!known.has(eventId)) lookedAtMs.delete(eventId)
    },
  }
}

/** Returns the longest finished track of each person, in an order that later tracks hardly change. */
async function longestTracks(db: Kysely<TracksTables>, eventId: string): Promise<FinishedTrack[]> {
  const tracks = await db
    .selectFrom('tracks')
    .select(COLUMNS)
    .where('event_id', '=', eventId)
    .where('state', '=', 'stopped')
    .where('user_id', 'is not', null)
    .where('point_count', '>', 0)
    .orderBy('start_ms')
    .orderBy('id')
    .execute()
  const longest = new Map<string, FinishedTrack>()
  for (const track of tracks) {
    const before = longest.get(track.user_id!)
    if (before === undefined || before.point_count < track.point_count) longest.set(track.user_id!, track)
  }
  return [...longest.values()]
}
