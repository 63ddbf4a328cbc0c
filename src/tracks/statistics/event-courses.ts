import type { Kysely } from 'kysely'
import { boundedCache } from '#platform/basics/bounded-cache.ts'
import type { TracksTables } from '../model/tables.ts'

/** Returns the line of an event's course as it is stored; undefined without one, or without heights. */
export type CourseOf = (eventId: string) => Promise<Uint8Array | undefined>

/** Courses kept by one instance; a long one has some hundred kilobytes. */
const MAX_KEPT = 64

/** Reads the courses of events. One that has not changed is not sent again by the database. */
export function createCourseOf(db: Kysely<TracksTables>): CourseOf {
  const kept = boundedCache<{ revision: number; line: Uint8Array }>(MAX_KEPT)
  return async (eventId) => {
    const known = kept.get(eventId)
    const row = await db
      .selectFrom('races')
      .select(({ eb, val }) => [
        'course_revision',
        eb
          .case()
          .when('course_revision', '=', known?.revision ?? -1)
          .then(val(null))
          .else(eb.ref('course_line'))
          .end()
          .$castTo<Uint8Array | null>()
          .as('changed_line'),
      ])
      .where('event_id', '=', eventId)
      // Without altitudes, a course has no climb.
      .where('course_climb_m', 'is not', null)
      .executeTakeFirst()
    if (row === undefined) return undefined
    if (row.changed_line === null) return known?.line
    const line = new Uint8Array(row.changed_line)
    kept.set(eventId, { revision: row.course_revision, line })
    return line
  }
}
