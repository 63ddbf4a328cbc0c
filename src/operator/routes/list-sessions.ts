import type { HttpServer } from '#platform/http/http-server.ts'
import type { OperatorDeps } from '../deps.ts'
import { SessionList } from '../schemas.ts'
import { listedSessionJson } from '../sessions/session-json.ts'

/** GET /operator/sessions */
export function listSessions(app: HttpServer, { sessions, now }: OperatorDeps) {
  app.get(
    '/operator/sessions',
    {
      schema: {
        operationId: 'listSessions',
        summary: 'List the sessions',
        description: 'Where the operator who asks is signed in.',
        tags: ['Signing in'],
        response: { 200: SessionList },
      },
    },
    async ({ operatorId, operatorSession }) => {
      const rows = await sessions.list(operatorId, now())
      return { sessions: rows.map((row) => listedSessionJson(row, operatorSession.id)) }
    },
  )
}
