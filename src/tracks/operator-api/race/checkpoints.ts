import { randomUUID } from 'node:crypto'
import { invalidFields } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { courseMissing, eventNotFound } from '../../errors.ts'
import { decodeCourseLine } from '../../race/course-line.ts'
import { courseShape } from '../../race/course-shape.ts'
import { placeCheckpoints } from '../../race/place-checkpoints.ts'
import { checkpointsOf } from '../../representations/race-json.ts'
import { EventParams } from '../../schemas/addresses.ts'
import { CheckpointList, CheckpointsUpdate } from '../../schemas/race.ts'
import type { EventsStore } from '../../storage/events-store.ts'
import type { RaceStore } from '../../storage/race/race-store.ts'

type Deps = { events: Pick<EventsStore, 'find'>; races: Pick<RaceStore, 'find' | 'findSummary' | 'change'> }

/** GET /operator/events/:id/checkpoints */
export function listCheckpoints(app: HttpServer, { events, races }: Deps) {
  app.get(
    '/operator/events/:id/checkpoints',
    {
      config: { operator: { role: 'viewer', effect: 'reads' } },
      schema: {
        operationId: 'operatorListCheckpoints',
        summary: 'List the checkpoints',
        tags: ['Operator'],
        params: EventParams,
        problems: [eventNotFound],
        response: { 200: CheckpointList },
      },
    },
    async ({ params }) => {
      if ((await events.find(params.id)) === undefined) throw eventNotFound()
      return { checkpoints: checkpointsOf(await races.findSummary(params.id)) }
    },
  )
}

/** PUT /operator/events/:id/checkpoints */
export function putCheckpoints(app: HttpServer, { races }: Deps) {
  app.put(
    '/operator/events/:id/checkpoints',
    {
      config: { operator: { role: 'editor', effect: 'changes', also: ['erases'] } },
      schema: {
        operationId: 'operatorReplaceCheckpoints',
        summary: 'Set the checkpoints',
        description:
          'Replaces all checkpoints of the course. All passings are computed again from the recorded points.',
        tags: ['Operator'],
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
