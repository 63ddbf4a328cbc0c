import { noContent } from '#platform/http/answer-schemas.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { tokenHash } from '#platform/tokens/token.ts'
import { crossSite } from '../errors.ts'
import type { HostCookie } from '../sessions/host-cookie.ts'
import type { SessionsStore } from '../storage/sessions-store.ts'

type Deps = { sessions: Pick<SessionsStore, 'endByToken'>; cookie: HostCookie }

/** DELETE /operator/session */
export function signOut(app: HttpServer, { sessions, cookie }: Deps) {
  app.delete(
    '/operator/session',
    {
      schema: {
        operationId: 'signOut',
        summary: 'Sign out',
        description: 'Ends the session and deletes its cookie. Succeeds without a session, too.',
        tags: ['Signing in'],
        problems: [crossSite],
        response: { 204: noContent('The browser is signed out.') },
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
