import type { HttpServer } from '#platform/http/http-server.ts'
import { eventNotFound } from '../../errors.ts'
import { shareJson } from '../../representations/share-json.ts'
import { EventParams } from '../../schemas/addresses.ts'
import { ShareList } from '../../schemas/shares.ts'
import type { OperatorDeps } from '../operator-deps.ts'

/** GET /operator/events/:id/shares */
export function listShares(app: HttpServer, deps: OperatorDeps) {
  app.get(
    '/operator/events/:id/shares',
    {
      schema: {
        operationId: 'operatorListShares',
        summary: "List an event's shared addresses",
        description: 'Newest first, also those that have ended.',
        tags: ['Operator'],
        params: EventParams,
        problems: [eventNotFound],
        response: { 200: ShareList },
      },
    },
    async ({ params }) => {
      if ((await deps.events.find(params.id)) === undefined) throw eventNotFound()
      return { shares: (await deps.shares.list(params.id)).map((row) => shareJson(row, deps)) }
    },
  )
}
