import Type from 'typebox'
import type { HttpServer } from '#platform/http/http-server.ts'
import { tokenHash } from '#platform/tokens/token.ts'
import type { OperatorDeps } from '../deps.ts'
import { crossSite } from '../errors.ts'

/** DELETE /operator/session */
export function signOut(app: HttpServer, { sessions, cookie }: OperatorDeps) {
  app.delete<{ Params: object }>(
    '/operator/session',
    {
      schema: {
        operationId: 'signOut',
        summary: 'Sign out',
        description: 'Ends the session and forgets its cookie. It succeeds also where nobody is signed in any more.',
        tags: ['Signing in'],
        problems: [crossSite],
        response: { 204: Type.Null({ description: 'Nobody is signed in.' }) },
      },
    },
    async (request, reply) => {
      const token = cookie.read(request)
      if (token !== undefined) await sessions.endByToken(tokenHash(token))
      cookie.clear(reply)
      return reply.code(204).send()
    },
  )
}
