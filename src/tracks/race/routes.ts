import { randomUUID } from 'node:crypto'
import { invalidFields } from '#platform/basics/errors.ts'
import { parseDateTime } from '#platform/basics/time.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { EventDoor } from '../api/doors.ts'
import { courseMissing, eventNotFound } from '../model/errors.ts'
import { EventParams } from '../model/schema-fields.ts'
import { decodeCourseLine } from '../statistics/course-line.ts'
import { placeCheckpoints } from './checkpoints.ts'
import { courseShape } from './course.ts'
import { acceptRaceBodies, deleteCourse, getCourse, putCourse } from './course-routes.ts'
import { listParticipants } from './participant-routes.ts'
import type { RaceDeps } from './race-boards.ts'
import { checkpointsOf, raceJson } from './race-json.ts'
import { getEventResults, getRanking } from './ranking-routes.ts'
import { createRunner, deleteRunner, listRunners, putRunners, updateRunner } from './runner-routes.ts'
import { CheckpointList, CheckpointsUpdate, Race, RaceUpdate } from './schemas.ts'
import { decideTime, importTimes, listDecisions, listTimes, updateTime } from './time-routes.ts'

/** GET /operator/events/:id/race */
function getRace(app: HttpServer, { events, races }: RaceDeps) {
  app.get(
    '/operator/events/:id/race',
    {
      schema: {
        operationId: 'operatorGetRace',
        summary: 'Get the race',
        params: EventParams,
        problems: [eventNotFound],
        response: { 200: Race },
      },
    },
    async ({ params }) => {
      await events.get(params.id)
      return raceJson(await races.findSummary(params.id), await races.countRunners(params.id))
    },
  )
}

/** PATCH /operator/events/:id/race */
function updateRace(app: HttpServer, { races }: RaceDeps) {
  app.patch(
    '/operator/events/:id/race',
    {
      schema: {
        operationId: 'operatorUpdateRace',
        summary: 'Set start and timing, and name and climb of the course',
        description:
          'Sets the time from which all runners are timed, where null times each from crossing the start line; whether times count from it (`gun`) or from that crossing (`net`) nonetheless; and the name and the climb of the course. What the body does not have stays.',
        params: EventParams,
        body: RaceUpdate,
        problems: [eventNotFound, courseMissing],
        response: { 200: Race },
      },
    },
    async ({ params, body }) => {
      const { race_starts_at, ...rest } = body
      const start = race_starts_at === undefined ? {} : { starts_at_ms: startOf(race_starts_at) }
      const race = await races.change(params.id, ({ course_line }) => {
        if (rest.course_name !== undefined && course_line === null) throw courseMissing()
        return { ...rest, ...start }
      })
      return raceJson(race, await races.countRunners(params.id))
    },
  )
}

function startOf(raceStartsAt: string | null): number | null {
  return raceStartsAt === null ? null : parseDateTime(raceStartsAt)!.timeMs
}

/** GET /operator/events/:id/checkpoints */
function listCheckpoints(app: HttpServer, { events, races }: RaceDeps) {
  app.get(
    '/operator/events/:id/checkpoints',
    {
      schema: {
        operationId: 'operatorListCheckpoints',
        summary: 'List the checkpoints',
        params: EventParams,
        problems: [eventNotFound],
        response: { 200: CheckpointList },
      },
    },
    async ({ params }) => {
      await events.get(params.id)
      return { checkpoints: checkpointsOf(await races.findSummary(params.id)) }
    },
  )
}

/** PUT /operator/events/:id/checkpoints */
function putCheckpoints(app: HttpServer, { races }: RaceDeps) {
  app.put(
    '/operator/events/:id/checkpoints',
    {
      schema: {
        operationId: 'operatorReplaceCheckpoints',
        summary: 'Set the checkpoints',
        description:
          'Replaces all checkpoints of the course. All passings are computed again from the recorded points.',
        params: EventParams,
        body: CheckpointsUpdate,
        problems: [eventNotFound, courseMissing],
        response: { 200: CheckpointList },
      },
    },
    async (request) => {
      const { params, body } = request
      const kept = new Set(body.checkpoints.map(({ id }) => id))
      const stored = checkpointsOf(await races.findSummary(params.id))
      if (stored.some(({ id }) => !kept.has(id))) await request.demandEffect('erases')
      const race = await races.change(params.id, ({ course_line }) => {
        if (course_line === null) throw courseMissing()
        const shape = courseShape(decodeCourseLine(course_line))
        const { checkpoints, errors } = placeCheckpoints(shape, body.checkpoints, randomUUID)
        if (errors.length > 0) throw invalidFields(errors)
        return { checkpoints: JSON.stringify(checkpoints) }
      })
      return { checkpoints: checkpointsOf(race) }
    },
  )
}

/** Registers the race of an event for operators. In a scope of its own, because it takes files. */
export function raceApi(app: HttpServer, event: EventDoor, deps: RaceDeps): void {
  acceptRaceBodies(app, deps.bodyBudget)
  for (const route of [getRace, updateRace]) route(app, deps)
  getCourse(app, event, deps)
  for (const route of [putCourse, deleteCourse, listCheckpoints, putCheckpoints]) route(app, deps)
  for (const route of [listRunners, putRunners, createRunner, updateRunner, deleteRunner, listParticipants]) {
    route(app, deps)
  }
  for (const route of [listTimes, updateTime, importTimes, listDecisions, decideTime]) route(app, deps)
  for (const route of [getRanking, getEventResults]) route(app, event, deps)
}
