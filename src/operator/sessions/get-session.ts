import type { HttpServer } from '#platform/http/http-server.ts'
import { Session } from '../schemas.ts'
import type { RequiredFactor } from '../storage/required-factor.ts'
import { sessionJson } from './session-json.ts'

type Deps = { requiredFactor: Pick<RequiredFactor, 'isMissing'> }

/** GET /operator/session */
export function getSession(app: HttpServer, { requiredFactor }: Deps) {
  app.get(
    '/operator/session',
    {
      config: { operator: { role: 'viewer', effect: 'reads', withoutSecondFactor: true } },
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
