import type { HttpServer } from '#platform/http/http-server.ts'
import { appTokenNotFound } from '../errors.ts'
import { shownTokenJson, tokenId } from '../event-json.ts'
import type { OperatorDeps } from '../operator-deps.ts'
import { EventTokenParams } from '../operator-schemas/addresses.ts'
import { ShownAppToken } from '../operator-schemas/tokens.ts'

/** GET /operator/events/:id/tokens/:tokenId */
export function operatorGetToken(app: HttpServer, { events, tokenKey, now }: OperatorDeps) {
  app.get<{ Params: { id: string; tokenId: string } }>(
    '/operator/events/:id/tokens/:tokenId',
    {
      schema: {
        operationId: 'operatorGetToken',
        summary: 'Show an app token',
        description: 'In plain text.',
        tags: ['Operator'],
        params: EventTokenParams,
        problems: [appTokenNotFound],
        response: { 200: ShownAppToken },
      },
    },
    async ({ params }) => {
      const row = (await events.tokens(params.id, now())).find((token) => tokenId(token) === params.tokenId)
      if (row === undefined) throw appTokenNotFound()
      return shownTokenJson(row, tokenKey)
    },
  )
}
