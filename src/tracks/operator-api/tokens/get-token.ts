import type { HttpServer } from '#platform/http/http-server.ts'
import type { Keys } from '#platform/security/secret.ts'
import { appTokenNotFound } from '../../errors.ts'
import { shownTokenJson } from '../../representations/event-json.ts'
import { EventTokenParams } from '../../schemas/addresses.ts'
import { ShownAppToken } from '../../schemas/tokens.ts'
import { type AppTokensStore, tokenId } from '../../storage/app-tokens-store.ts'

type Deps = {
  appTokens: Pick<AppTokensStore, 'listValid'>
  tokenKeys: Keys
  now: () => number
}

/** GET /operator/events/:id/tokens/:tokenId */
export function getToken(app: HttpServer, { appTokens, tokenKeys, now }: Deps) {
  app.get(
    '/operator/events/:id/tokens/:tokenId',
    {
      config: { operator: { role: 'editor', effect: 'exports' } },
      schema: {
        operationId: 'operatorGetToken',
        summary: 'Show an app token',
        description: 'Returns the token in plain text.',
        tags: ['Operator'],
        params: EventTokenParams,
        problems: [appTokenNotFound],
        response: { 200: ShownAppToken },
      },
    },
    async ({ params }) => {
      const row = (await appTokens.listValid(params.id, now())).find((token) => tokenId(token) === params.tokenId)
      if (row === undefined) throw appTokenNotFound()
      return shownTokenJson(row, tokenKeys)
    },
  )
}
