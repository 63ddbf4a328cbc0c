import { type HttpServer, noContent } from '#platform/http/http-server.ts'
import { sessionNotFound } from '../model/errors.ts'
import { IdParams, Session, SessionList } from '../model/schemas.ts'
import { signBrowserOut } from './cookies.ts'
import type { SessionDeps } from './start-session.ts'
import { listedSessionJson, sessionJson } from './start-session.ts'

/** GET /operator/session */
export function getSession(app: HttpServer, { requiredFactor }: SessionDeps) {
  app.get(
    '/operator/session',
    {
      schema: {
        operationId: 'getSession',
        summary: 'Get the session',
        description: 'The operator who is signed in, and when the session ends.',
        tags: ['Signing in'],
        response: { 200: Session },
      },
    },
    async (request) => await sessionJson(request.operatorSession, requiredFactor),
  )
}

/** GET /operator/sessions */
export function listSessions(app: HttpServer, { sessions, now }: SessionDeps) {
  app.get(
    '/operator/sessions',
    {
      schema: {
        operationId: 'listSessions',
        summary: 'List the sessions',
        description: "The current operator's sessions.",
        tags: ['Signing in'],
        response: { 200: SessionList },
      },
    },
    async ({ operatorId, operatorSession }) => {
      const rows = await sessions.list(operatorId, now())
      return { sessions: rows.map((row) => listedSessionJson(row, operatorSession)) }
    },
  )
}

/** DELETE /operator/sessions/:id */
export function endSession(app: HttpServer, { sessions, cookie }: SessionDeps) {
  app.delete(
    '/operator/sessions/:id',
    {
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
