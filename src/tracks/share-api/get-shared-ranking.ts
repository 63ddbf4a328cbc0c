import { unavailable } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { shareEnded, shareNotFound } from '../errors.ts'
import { SharedParams } from '../schemas/addresses.ts'
import { Ranking } from '../schemas/race.ts'
import { openShare, type ShareDeps } from './open-share.ts'
import { type RankingDeps, sharedRanking } from './shared-ranking.ts'

type Deps = ShareDeps & RankingDeps

/** GET /shares/:token/ranking */
export function getSharedRanking(app: HttpServer, deps: Deps) {
  app.get(
    '/shares/:token/ranking',
    {
      schema: {
        operationId: 'getSharedRanking',
        summary: 'Get the ranking of a share',
        description:
          'Returns the ranking as it was known before the delay for spectators. A share of one track shows its entry alone.',
        tags: ['Shared'],
        params: SharedParams,
        problems: [shareNotFound, shareEnded, unavailable],
        response: { 200: Ranking },
      },
    },
    async ({ params }) => await sharedRanking(deps, await openShare(deps, params.token)),
  )
}
