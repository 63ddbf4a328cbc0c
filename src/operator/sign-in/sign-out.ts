import { noContent } from '#platform/http/answer-schemas.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { tokenHash } from '#platform/tokens/token.ts'
import type { AuditLog } from '../audit/audit-log.ts'
import { beginRecord } from '../audit/record-requests.ts'
import { crossSite } from '../errors.ts'
import type { HostCookie } from '../sessions/host-cookie.ts'
import { signBrowserOut } from '../sessions/sign-browser-out.ts'
import type { SessionsStore } from '../storage/sessions-store.ts'

type Deps = {
  sessions: Pick<SessionsStore, 'find' | 'endByToken'>
  audit: AuditLog
  cookie: HostCookie
  now: () => number
}

/** DELETE /operator/session */
export function signOut(app: HttpServer, { sessions, audit, cookie, now }: Deps) {
  app.delete(
    '/operator/session',
    {
      schema: {
        operationId: 'signOut',
        summary: 'Sign out',
        description:
          'Ends the session and deletes its cookie and what the browser has cached. Succeeds without a session, too.',
        tags: ['Signing in'],
        problems: [crossSite],
        response: { 204: noContent('The browser is signed out.') },
      },
    },
    async (request, reply) => {
      const token = cookie.read(request)
      const hash = token === undefined ? undefined : tokenHash(token)
      const session = hash === undefined ? undefined : await sessions.find(hash, now())
      if (session !== undefined) {
        await beginRecord(request, { audit }, session)
        await sessions.endByToken(session.token_sha256)
      }
      signBrowserOut(reply, cookie)
      return reply.code(204).send()
    },
  )
}
