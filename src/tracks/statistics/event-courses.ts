import type { Kysely, Transaction } from 'kysely'
import { boundedCache } from '#platform/basics/bounded-cache.ts'
import type { TracksTables } from '../model/tables.ts'
import type { StoredHeights } from './course-heights.ts'

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
