import type { HttpServer } from '#platform/http/http-server.ts'
import { Session } from '../schemas.ts'
import { sessionJson } from './session-json.ts'

/** GET /operator/session */
export function getSession(app: HttpServer) {
  app.get(
    '/operator/session',
    {
      config: { operator: { role: 'viewer' } },
      schema: {
        operationId: 'getSession',
        summary: 'Get the session',
        description: 'The operator who is signed in, and when the session ends.',
        tags: ['Signing in'],
        response: { 200: Session },
      },
    },
    async (request) => sessionJson(request.operatorSession),
  )
}
