import type { HttpServer } from '#platform/http/http-server.ts'
import type { Keys } from '#platform/security/secret.ts'
import { eventNotFound } from '../../errors.ts'
import { tokenJson } from '../../representations/event-json.ts'
import { EventParams } from '../../schemas/addresses.ts'
import { AppTokenList } from '../../schemas/tokens.ts'
import type { AppTokensStore } from '../../storage/app-tokens-store.ts'
import type { EventsStore } from '../../storage/events-store.ts'

type Deps = {
  events: Pick<EventsStore, 'find'>
  appTokens: Pick<AppTokensStore, 'listValid'>
  tokenKeys: Keys
  now: () => number
}

/** GET /operator/events/:id/tokens */
export function listTokens(app: HttpServer, { events, appTokens, tokenKeys, now }: Deps) {
  app.get(
    '/operator/events/:id/tokens',
    {
      config: { operator: { role: 'editor', effect: 'reads' } },
      schema: {
        operationId: 'operatorListTokens',
        summary: "List an event's app tokens",
        description: 'Returns the valid tokens, newest first. Each is masked except for its beginning and end.',
        tags: ['Operator'],
        params: EventParams,
        problems: [eventNotFound],
        response: { 200: AppTokenList },
      },
    },
    async ({ params }) => {
      if ((await events.find(params.id)) === undefined) throw eventNotFound()
      return { tokens: (await appTokens.listValid(params.id, now())).map((row) => tokenJson(row, tokenKeys)) }
    },
  )
}
