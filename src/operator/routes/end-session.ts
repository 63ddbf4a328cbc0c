import Type from 'typebox'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { OperatorDeps } from '../deps.ts'
import { sessionNotFound } from '../errors.ts'
import { IdParams } from '../schemas.ts'

/** DELETE /operator/sessions/:id */
export function endSession(app: HttpServer, { sessions, cookie }: OperatorDeps) {
  app.delete<{ Params: IdParams }>(
    '/operator/sessions/:id',
    {
      schema: {
        operationId: 'endSession',
        summary: 'End a session',
        description: 'One of the operator who asks. Its browser is signed out with its next request.',
        tags: ['Signing in'],
        params: IdParams,
        problems: [sessionNotFound],
        response: { 204: Type.Null({ description: 'The session has ended.' }) },
      },
    },
    async ({ operatorId, operatorSession, params }, reply) => {
      if (!(await sessions.end(operatorId, params.id))) throw sessionNotFound()
      if (params.id === operatorSession.id) cookie.clear(reply)
      return reply.code(204).send()
    },
  )
}
