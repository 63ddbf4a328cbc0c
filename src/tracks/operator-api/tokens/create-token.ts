import type { HttpServer } from '#platform/http/http-server.ts'
import { eventNotFound } from '../../errors.ts'
import type { EventTokens } from '../../events/event-tokens.ts'
import { issuedTokenJson } from '../../representations/event-json.ts'
import { EventParams } from '../../schemas/addresses.ts'
import { AppTokenCreate, ShownAppToken } from '../../schemas/tokens.ts'

type Deps = { eventTokens: Pick<EventTokens, 'add'> }

/** POST /operator/events/:id/tokens */
export function createToken(app: HttpServer, { eventTokens }: Deps) {
  app.post(
    '/operator/events/:id/tokens',
    {
      schema: {
        operationId: 'operatorCreateToken',
        summary: 'Create an app token',
        description: 'Adds a token to the event. Its other tokens stay valid.',
        tags: ['Operator'],
        params: EventParams,
        body: AppTokenCreate,
        problems: [eventNotFound],
        response: { 201: ShownAppToken },
      },
    },
    async ({ params, body }, reply) => {
      const { token } = await eventTokens.add(params.id, body.label ?? null)
      return reply.code(201).send(issuedTokenJson(token))
    },
  )
}
