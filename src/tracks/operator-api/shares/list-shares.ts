import type { HttpServer } from '#platform/http/http-server.ts'
import { eventNotFound } from '../../errors.ts'
import { type ShareJsonDeps, shareJson } from '../../representations/share-json.ts'
import { EventParams } from '../../schemas/addresses.ts'
import { ShareList, SharesQuery } from '../../schemas/shares.ts'
import type { EventsStore } from '../../storage/events-store.ts'
import type { SharesStore } from '../../storage/shares-store.ts'

type Deps = ShareJsonDeps & {
  events: Pick<EventsStore, 'find'>
  shares: Pick<SharesStore, 'list'>
}

/** GET /operator/events/:id/shares */
export function listShares(app: HttpServer, deps: Deps) {
  app.get(
    '/operator/events/:id/shares',
    {
      config: { operator: { role: 'editor', effect: 'reads', also: ['exports'] } },
      schema: {
        operationId: 'operatorListShares',
        summary: "List an event's shares",
        description:
          'Returns all shares, newest first, ended ones included. With `links=masked`, it does so without the links.',
        tags: ['Operator'],
        params: EventParams,
        querystring: SharesQuery,
        problems: [eventNotFound],
        response: { 200: ShareList },
      },
    },
    async (request) => {
      const { params, query } = request
      if ((await deps.events.find(params.id)) === undefined) throw eventNotFound()
      const isMasked = query.links === 'masked'
      if (!isMasked) await request.demandEffect('exports')
      const shares = (await deps.shares.list(params.id)).map((row) => shareJson(row, deps))
      return { shares: isMasked ? shares.map((share) => ({ ...share, url: null })) : shares }
    },
  )
}
