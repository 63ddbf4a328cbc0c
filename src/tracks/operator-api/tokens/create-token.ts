import type { HttpServer } from '#platform/http/http-server.ts'
import { eventNotFound } from '../../errors.ts'
import { EventParams } from '../../schemas/addresses.ts'
import { NewAppToken, ShownAppToken } from '../../schemas/tokens.ts'
import type { OperatorDeps } from '../operator-deps.ts'
import { newestToken } from './newest-token.ts'

/** POST /operator/events/:id/tokens */
export function createToken(app: HttpServer, deps: OperatorDeps) {
  app.post(
    '/operator/events/:id/tokens',
    {
      schema: {
        operationId: 'operatorCreateToken',
        summary: 'Make a further app token',
        description: 'The others stay good.',
        tags: ['Operator'],
        params: EventParams,
        body: NewAppToken,
        problems: [eventNotFound],
        response: { 201: ShownAppToken },
      },
    },
    async ({ params, body }, reply) => {
      const { token } = await deps.eventTokens.add(params.id, body.label ?? null)
      return reply.code(201).send(await newestToken(deps, params.id, token))
    },
  )
}
