import type { HttpServer } from '#platform/http/http-server.ts'
import { Session } from '../schemas.ts'
import { sessionJson } from '../sessions/session-json.ts'

/** GET /operator/session */
export function getSession(app: HttpServer) {
  app.get(
    '/operator/session',
    {
      schema: {
        operationId: 'getSession',
        summary: 'Get the session',
        description: 'Who is signed in, and until when.',
        tags: ['Signing in'],
        response: { 200: Session },
      },
    },
    async (request) => sessionJson(request.operatorSession),
  )
}
