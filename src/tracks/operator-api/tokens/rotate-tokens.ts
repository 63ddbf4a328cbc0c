import type { HttpServer } from '#platform/http/http-server.ts'
import { eventNotFound } from '../../errors.ts'
import type { EventTokens } from '../../events/event-tokens.ts'
import { issuedTokenJson } from '../../representations/event-json.ts'
import { EventParams } from '../../schemas/addresses.ts'
import { AppTokenRotate, ShownAppToken } from '../../schemas/tokens.ts'

type Deps = { eventTokens: Pick<EventTokens, 'rotate'> }

/** POST /operator/events/:id/tokens/rotate */
export function rotateTokens(app: HttpServer, { eventTokens }: Deps) {
  app.post(
    '/operator/events/:id/tokens/rotate',
    {
      config: { operator: { role: 'editor', effect: 'admits' } },
      schema: {
        operationId: 'operatorRotateTokens',
        summary: 'Replace the first token',
        description:
          'Creates a first token. The other first tokens end after `keep_sec` seconds, by default at once. Tokens that were created later stay valid.',
        tags: ['Operator'],
        params: EventParams,
        body: AppTokenRotate,
        problems: [eventNotFound],
        response: { 201: ShownAppToken },
      },
    },
    async ({ params, body }, reply) => {
      const { token } = await eventTokens.rotate(params.id, (body.keep_sec ?? 0) * 1000, body.label)
      return reply.code(201).send(issuedTokenJson(token))
    },
  )
}
