import type { HttpServer } from '#platform/http/http-server.ts'
import { appTokenNotFound } from '../../errors.ts'
import { shownTokenJson, tokenId } from '../../representations/event-json.ts'
import { EventTokenParams } from '../../schemas/addresses.ts'
import { ShownAppToken } from '../../schemas/tokens.ts'
import type { OperatorDeps } from '../operator-deps.ts'

/** GET /operator/events/:id/tokens/:tokenId */
export function getToken(app: HttpServer, { events, tokenKey, now }: OperatorDeps) {
  app.get(
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
