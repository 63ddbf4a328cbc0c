import type { Database } from '#platform/database/database.ts'
import { noContent } from '#platform/http/answer-schemas.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { announceEndedTokens } from '#platform/tokens/token-lookup.ts'
import { appTokenNotFound } from '../../errors.ts'
import { EventTokenParams } from '../../schemas/addresses.ts'
import { type AppTokensStore, tokenId } from '../../storage/app-tokens-store.ts'
import type { TracksTables } from '../../storage/tables.ts'

type Deps = {
  appTokens: Pick<AppTokensStore, 'listValid' | 'end'>
  database: Pick<Database<TracksTables>, 'notices'>
  now: () => number
}

/** DELETE /operator/events/:id/tokens/:tokenId */
export function revokeToken(app: HttpServer, { appTokens, database, now }: Deps) {
  app.delete(
    '/operator/events/:id/tokens/:tokenId',
    {
      config: { operator: { role: 'editor', effect: 'erases' } },
      schema: {
        operationId: 'operatorRevokeToken',
        summary: 'Revoke an app token',
        description: 'The token is refused from the next request on.',
        tags: ['Operator'],
        params: EventTokenParams,
        problems: [appTokenNotFound],
        response: { 204: noContent('The token was revoked.') },
      },
    },
    async ({ params }, reply) => {
      const row = (await appTokens.listValid(params.id, now())).find((token) => tokenId(token) === params.tokenId)
      if (row === undefined || !(await appTokens.end(params.id, row.token_sha256))) throw appTokenNotFound()
      await announceEndedTokens(database.notices, params.id)
      return reply.code(204).send()
    },
  )
}
