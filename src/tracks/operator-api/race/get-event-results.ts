import { unavailable } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { eventNotFound } from '../../errors.ts'
import { sendResults } from '../../representations/send-results.ts'
import { EventParams } from '../../schemas/addresses.ts'
import { Results, ResultsQuery } from '../../schemas/race.ts'
import type { EventsStore } from '../../storage/events-store.ts'
import type { RaceBoards } from '../../timing/race-boards.ts'

type Deps = { events: Pick<EventsStore, 'find'>; raceBoards: Pick<RaceBoards, 'ranking'> }

/** GET /operator/events/:id/results */
export function getEventResults(app: HttpServer, { events, raceBoards }: Deps) {
  app.get(
    '/operator/events/:id/results',
    {
      config: { operator: { role: 'viewer', effect: 'reads' } },
      schema: {
        operationId: 'operatorGetResults',
        summary: 'Download the results',
        description: 'Returns the results as JSON or CSV. Before the end, they are the ranking so far.',
        tags: ['Operator'],
        params: EventParams,
        querystring: ResultsQuery,
        produces: ['application/json', 'text/csv'],
        problems: [eventNotFound, unavailable],
        response: { 200: Results },
      },
      serializerCompiler: () => JSON.stringify,
    },
    async (request, reply) => {
      const { id } = request.params
      const event = await events.find(id)
      if (event === undefined) throw eventNotFound()
      const ranking = await raceBoards.ranking(id, { untilMs: Number.POSITIVE_INFINITY, maxAgeMs: 0 })
      return sendResults(request, reply, { event: event.name, ...ranking })
    },
  )
}
