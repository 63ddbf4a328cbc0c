import type { HttpServer } from '#platform/http/http-server.ts'
import { eventNotFound } from '../../errors.ts'
import { EventParams } from '../../schemas/addresses.ts'
import { ShownAppToken, TokenRotation } from '../../schemas/tokens.ts'
import type { OperatorDeps } from '../operator-deps.ts'
import { newestToken } from './newest-token.ts'

/** POST /operator/events/:id/tokens/rotate */
export function rotateTokens(app: HttpServer, deps: OperatorDeps) {
  app.post(
    '/operator/events/:id/tokens/rotate',
    {
      schema: {
        operationId: 'operatorRotateTokens',
        summary: 'Replace the app tokens',
        description: 'Makes a new token; all others end after `keep_sec` seconds, at once by default.',
        tags: ['Operator'],
        params: EventParams,
        body: TokenRotation,
        problems: [eventNotFound],
        response: { 201: ShownAppToken },
      },
    },
    async ({ params, body }, reply) => {
      const { token } = await deps.eventTokens.rotate(params.id, (body.keep_sec ?? 0) * 1000, body.label)
      return reply.code(201).send(await newestToken(deps, params.id, token))
    },
  )
}
