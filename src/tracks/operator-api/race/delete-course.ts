import { noContent } from '#platform/http/answer-schemas.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { eventNotFound } from '../../errors.ts'
import { EventParams } from '../../schemas/addresses.ts'
import type { RaceStore } from '../../storage/race/race-store.ts'

type Deps = { races: Pick<RaceStore, 'change'> }

/** DELETE /operator/events/:id/course */
export function deleteCourse(app: HttpServer, { races }: Deps) {
  app.delete(
    '/operator/events/:id/course',
    {
      config: { operator: { role: 'editor', effect: 'erases' } },
      schema: {
        operationId: 'operatorDeleteCourse',
        summary: 'Remove the course',
        description: 'Removes the course with its checkpoints. The start list and the common start stay.',
        tags: ['Operator'],
        params: EventParams,
        problems: [eventNotFound],
        response: { 204: noContent('The event has no course.') },
      },
    },
    async ({ params }, reply) => {
      const none = { course_name: null, course_length_m: null, course_climb_m: null, course_line: null }
      await races.change(params.id, () => ({ ...none, checkpoints: '[]' }))
      return reply.code(204).send()
    },
  )
}
