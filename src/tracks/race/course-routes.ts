import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { unsupportedMediaType } from '#platform/basics/errors.ts'
import { momentOrNull } from '#platform/basics/time.ts'
import type { BodyBudget } from '#platform/http/body-limits.ts'
import { type HttpServer, noContent } from '#platform/http/http-server.ts'
import { acceptJsonBodies, readRequestBody } from '#platform/http/request-body.ts'
import { readPageTexts } from '#platform/pages/page-texts.ts'
import type { EventDoor } from '../api/doors.ts'
import { checkpointOffCourse, courseNotFound, eventNotFound, shareEnded, shareNotFound } from '../model/errors.ts'
import { EventParams } from '../model/schema-fields.ts'
import type { RaceRow } from '../model/tables.ts'
import { encodeCourseLine } from '../statistics/course-line.ts'
import { endsOfCourse, placeCheckpoints } from './checkpoints.ts'
import { type CourseShape, courseLength, courseShape } from './course.ts'
import { MAX_COURSE_BYTES } from './course-reader.ts'
import type { RaceDeps } from './race-boards.ts'
import { checkpointsOf, courseJson } from './race-json.ts'
import { Course, CourseFile, SharedCourse } from './schemas.ts'

/** Names of the checkpoints that a first course gets. */
const TEXTS = readPageTexts<'start' | 'finish'>(new URL('checkpoint-names.en.json', import.meta.url))

/** PUT /operator/events/:id/course */
export function putCourse(app: HttpServer, { events, races, courses }: RaceDeps) {
  app.put(
    '/operator/events/:id/course',
    {
      schema: {
        operationId: 'operatorReplaceCourse',
        summary: 'Set the course',
        description:
          'Sets or replaces the course from a GPX file. Checkpoints stay where they are, and must lie on it. A climb that was stated stays, too. Altitudes that leap away and back are left out, as in tracks. A first course gets a start and a finish at its ends, named in the language that `Accept-Language` prefers; English if none is known.',
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
      const { params, body, headers } = request
      await events.get(params.id)
      if (!Buffer.isBuffer(body)) throw unsupportedMediaType({ detail: `The body must be GPX, as ${COURSE_TYPES[0]}.` })
      // Without this, a course could be replaced where it could not be deleted.
      if ((await races.findSummary(params.id)).course_length_m !== null) await request.demandEffect('erases')
      const { name, line, climbM } = await courses.read(new Uint8Array(body))
      const shape = courseShape(line)
      const course_line = encodeCourseLine(line)
      const t = TEXTS.of(TEXTS.languageFor(headers['accept-language']))
      const endNames = { start: t('start'), finish: t('finish') }
      const race = await races.change(params.id, (before) => ({
        course_name: name,
        course_length_m: courseLength(line),
        course_climb_m: climbM,
        course_line,
        checkpoints: JSON.stringify(checkpointsOn(shape, before, endNames)),
      }))
      return courseJson(race)!
    },
  )
}

/**
 * Places the stored checkpoints on a new course, and those of these names on a first one.
 * @throws checkpointOffCourse if one is not on it
 */
function checkpointsOn(shape: CourseShape, before: RaceRow, endNames: { start: string; finish: string }) {
  const stored = checkpointsOf(before)
  const isFirst = before.course_line === null && stored.length === 0
  const inputs = isFirst
    ? endsOfCourse(shape, endNames, randomUUID)
    : stored.map(({ course_distance_m: _, ...rest }) => rest)
  const { checkpoints, errors } = placeCheckpoints(shape, inputs, randomUUID)
  const [first] = errors
  if (first === undefined) return checkpoints
  const { name } = inputs[Number(first.path.split('/')[1])]
  throw checkpointOffCourse({
    detail: `The course does not pass the checkpoint “${name}”. Remove the checkpoint or the course first.`,
  })
}

const COURSE = {
  operator: {
    operationId: 'operatorGetCourse',
    summary: 'Get the course',
    problems: [eventNotFound, courseNotFound],
    response: { 200: Course },
  },
  spectator: {
    operationId: 'getSharedCourse',
    summary: 'Get the course of a share',
    description: 'Returns the course of the event with its checkpoints.',
    problems: [shareNotFound, shareEnded, courseNotFound],
    response: { 200: SharedCourse },
  },
}

/** GET …/course: the course of an event, for spectators with its checkpoints. */
export function getCourse(app: HttpServer, door: EventDoor, { races }: RaceDeps) {
  app.get(`${door.path}/course`, { schema: { ...COURSE[door.audience], ...door.schema } }, async (request) => {
    const race = await races.find((await door.open(request)).id)
    const course = courseJson(race)
    if (course === undefined) throw courseNotFound()
    if (door.audience === 'operator') return course
    return { ...course, race_starts_at: momentOrNull(race.starts_at_ms), checkpoints: checkpointsOf(race) }
  })
}

/** DELETE /operator/events/:id/course */
export function deleteCourse(app: HttpServer, { races }: RaceDeps) {
  app.delete(
    '/operator/events/:id/course',
    {
      schema: {
        operationId: 'operatorDeleteCourse',
        summary: 'Remove the course',
        description: 'Removes the course with its checkpoints. The start list and the common start stay.',
        params: EventParams,
        problems: [eventNotFound],
        response: { 204: noContent('The event has no course.') },
      },
    },
    async ({ params }, reply) => {
      const none = {
        course_name: null,
        course_length_m: null,
        course_climb_m: null,
        course_line: null,
        stated_climb_m: null,
      }
      await races.change(params.id, () => ({ ...none, checkpoints: '[]' }))
      return reply.code(204).send()
    },
  )
}

/** Largest start list, decoded: 20,000 runners with long names. */
const MAX_LIST_BYTES = 4 * 1_048_576

/** Types of a course. Browsers and tools know few of them, so a file may also come without one of its own. */
const COURSE_TYPES = ['application/gpx+xml', 'application/xml', 'text/xml', 'application/octet-stream']
const CSV_TYPE = 'text/csv'

/** Makes the routes of this scope accept JSON, courses and start lists; the latter two as bytes. */
export function acceptRaceBodies(app: HttpServer, budget: BodyBudget): void {
  acceptJsonBodies(app, { limitBytes: MAX_LIST_BYTES, budget })
  app.addContentTypeParser(COURSE_TYPES, (request: FastifyRequest) =>
    readRequestBody(request, MAX_COURSE_BYTES, budget),
  )
  app.addContentTypeParser(CSV_TYPE, (request: FastifyRequest) => readRequestBody(request, MAX_LIST_BYTES, budget))
}
