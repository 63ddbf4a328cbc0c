import type { HttpServer } from '#platform/http/http-server.ts'
import { eventNotFound } from '../errors.ts'
import type { OperatorDeps } from '../operator-deps.ts'
import { EventParams } from '../operator-schemas/addresses.ts'
import { ShareList } from '../operator-schemas/shares.ts'
import { shareJson } from '../share-json.ts'

/** GET /operator/events/:id/shares */
export function operatorListShares(app: HttpServer, deps: OperatorDeps) {
  app.get<{ Params: { id: string } }>(
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
