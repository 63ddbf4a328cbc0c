import { unavailable } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { eventNotFound } from '../../errors.ts'
import { EventParams } from '../../schemas/addresses.ts'
import { Ranking } from '../../schemas/race.ts'
import type { RaceBoards } from '../../timing/race-boards.ts'

type Deps = { raceBoards: Pick<RaceBoards, 'ranking'> }

/** GET /operator/events/:id/ranking */
export function getRanking(app: HttpServer, { raceBoards }: Deps) {
  app.get(
    '/operator/events/:id/ranking',
    {
      config: { operator: { role: 'viewer', effect: 'reads' } },
      schema: {
        operationId: 'operatorGetRanking',
        summary: 'Get the ranking',
        description:
          'Returns the ranking with all passings, computed from the recorded points. Without a course, the entries of the start list and all tracks are not ranked.',
        tags: ['Operator'],
        params: EventParams,
        problems: [eventNotFound, unavailable],
        response: { 200: Ranking },
      },
    },
    async ({ params }) => await raceBoards.ranking(params.id, { untilMs: Number.POSITIVE_INFINITY, maxAgeMs: 0 }),
  )
}
