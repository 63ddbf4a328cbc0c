import { randomUUID } from 'node:crypto'
import { unsupportedMediaType } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { checkpointOffCourse, eventNotFound } from '../../errors.ts'
import { courseLength, encodeCourseLine } from '../../race/course-line.ts'
import { type CourseShape, courseShape } from '../../race/course-shape.ts'
import { endsOfCourse, placeCheckpoints } from '../../race/place-checkpoints.ts'
import { checkpointsOf, courseJson } from '../../representations/race-json.ts'
import { EventParams } from '../../schemas/addresses.ts'
import { Course, CourseFile } from '../../schemas/race.ts'
import type { EventsStore } from '../../storage/events-store.ts'
import type { RaceStore } from '../../storage/race/race-store.ts'
import type { RaceRow } from '../../storage/tables.ts'
import type { CourseReader } from '../../timing/course-reader.ts'
import { COURSE_TYPES } from './race-bodies.ts'

type Deps = {
  events: Pick<EventsStore, 'find'>
  races: Pick<RaceStore, 'change' | 'findSummary'>
  courses: Pick<CourseReader, 'read'>
}

/** PUT /operator/events/:id/course */
export function putCourse(app: HttpServer, { events, races, courses }: Deps) {
  app.put(
    '/operator/events/:id/course',
    {
      config: { operator: { role: 'editor', effect: 'changes', also: ['erases'] } },
      schema: {
        operationId: 'operatorReplaceCourse',
        summary: 'Set the course',
        description:
          'Sets or replaces the course from a GPX file. Checkpoints stay where they are, and must lie on it. A first course gets a start and a finish at its ends.',
        tags: ['Operator'],
        params: EventParams,
        consumes: ['application/gpx+xml'],
        body: CourseFile,
        problems: [eventNotFound, checkpointOffCourse],
        response: { 200: Course },
      },
      // The body is a file, which the thread that reads it checks.
      validatorCompiler: () => () => true,
    },
    async (request) => {
      const { params, body } = request
      if ((await events.find(params.id)) === undefined) throw eventNotFound()
      if (!Buffer.isBuffer(body)) throw unsupportedMediaType({ detail: `The body must be GPX, as ${COURSE_TYPES[0]}.` })
      // Without this, a course could be replaced where it could not be deleted.
      if ((await races.findSummary(params.id)).course_length_m !== null) await request.demandEffect('erases')
      const { name, line, climbM } = await courses.read(new Uint8Array(body))
      const shape = courseShape(line)
      const course_line = encodeCourseLine(line)
      const race = await races.change(params.id, (before) => ({
        course_name: name,
        course_length_m: courseLength(line),
        course_climb_m: climbM,
        course_line,
        checkpoints: JSON.stringify(checkpointsOn(shape, before)),
      }))
      return courseJson(race)!
    },
  )
}

/** Places the stored checkpoints on a new course. @throws checkpointOffCourse if one is not on it */
function checkpointsOn(shape: CourseShape, before: RaceRow) {
  const stored = checkpointsOf(before)
  const isFirst = before.course_line === null && stored.length === 0
  const inputs = isFirst ? endsOfCourse(shape, randomUUID) : stored.map(({ course_distance_m: _, ...rest }) => rest)
  const { checkpoints, errors } = placeCheckpoints(shape, inputs, randomUUID)
  const [first] = errors
  if (first === undefined) return checkpoints
  const { name } = inputs[Number(first.path.split('/')[1])]
  throw checkpointOffCourse({
    detail: `The course does not pass the checkpoint “${name}”. Remove the checkpoint or the course first.`,
  })
}
