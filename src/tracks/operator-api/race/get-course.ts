import type { HttpServer } from '#platform/http/http-server.ts'
import { courseNotFound, eventNotFound } from '../../errors.ts'
import { courseJson } from '../../representations/race-json.ts'
import { EventParams } from '../../schemas/addresses.ts'
import { Course } from '../../schemas/race.ts'
import type { EventsStore } from '../../storage/events-store.ts'
import type { RaceStore } from '../../storage/race/race-store.ts'

type Deps = { events: Pick<EventsStore, 'find'>; races: Pick<RaceStore, 'find'> }

/** GET /operator/events/:id/course */
export function getCourse(app: HttpServer, { events, races }: Deps) {
  app.get(
    '/operator/events/:id/course',
    {
      config: { operator: { role: 'viewer', effect: 'reads' } },
      schema: {
        operationId: 'operatorGetCourse',
        summary: 'Get the course',
        tags: ['Operator'],
        params: EventParams,
        problems: [eventNotFound, courseNotFound],
        response: { 200: Course },
      },
    },
    async ({ params }) => {
      if ((await events.find(params.id)) === undefined) throw eventNotFound()
      const course = courseJson(await races.find(params.id))
      if (course === undefined) throw courseNotFound()
      return course
    },
  )
}
