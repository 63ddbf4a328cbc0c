import { noContent } from '#platform/http/answer-schemas.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { sessionNotFound } from '../errors.ts'
import { IdParams } from '../schemas.ts'
import type { SessionsStore } from '../storage/sessions-store.ts'
import type { HostCookie } from './host-cookie.ts'
import { signBrowserOut } from './sign-browser-out.ts'

type Deps = { sessions: Pick<SessionsStore, 'end'>; cookie: HostCookie }

/** DELETE /operator/sessions/:id */
export function endSession(app: HttpServer, { sessions, cookie }: Deps) {
  app.delete(
    '/operator/sessions/:id',
    {
      config: { operator: { role: 'viewer', effect: 'changes' } },
      schema: {
        operationId: 'endSession',
        summary: 'End a session',
        description: "One of the current operator's sessions. Its browser is signed out with its next request.",
        tags: ['Signing in'],
        params: IdParams,
        problems: [sessionNotFound],
        response: { 204: noContent('The session has ended.') },
      },
    },
    async ({ operatorId, operatorSession, params }, reply) => {
      if (!(await sessions.end(operatorId, params.id))) throw sessionNotFound()
      if (params.id === operatorSession.id) signBrowserOut(reply, cookie)
      return reply.code(204).send()
    },
  )
}
