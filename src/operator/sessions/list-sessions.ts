import type { HttpServer } from '#platform/http/http-server.ts'
import { SessionList } from '../schemas.ts'
import type { SessionsStore } from '../storage/sessions-store.ts'
import { listedSessionJson } from './session-json.ts'

type Deps = { sessions: Pick<SessionsStore, 'list'>; now: () => number }

/** GET /operator/sessions */
export function listSessions(app: HttpServer, { sessions, now }: Deps) {
  app.get(
    '/operator/sessions',
    {
      config: { operator: { role: 'viewer', effect: 'reads' } },
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
