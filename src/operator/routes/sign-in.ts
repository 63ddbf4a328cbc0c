import { rateLimited } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { OperatorDeps } from '../deps.ts'
import { crossSite, wrongCredentials } from '../errors.ts'
import { Session, SignIn } from '../schemas.ts'
import { clientOf } from '../sessions/session-json.ts'
import { giveSession } from '../sessions/start-session.ts'

/** POST /operator/session */
export function signIn(app: HttpServer, deps: OperatorDeps) {
  const { signingIn, logger } = deps
  app.post(
    '/operator/session',
    {
      schema: {
        operationId: 'signIn',
        summary: 'Sign in',
        description:
          'The answer sets the cookie of the session. Who fails several times has to wait, each time twice as long.',
        tags: ['Signing in'],
        body: SignIn,
        problems: [wrongCredentials, crossSite, rateLimited],
        response: { 200: Session },
      },
    },
    async (request, reply) => {
      const { name, password } = request.body
      const opened = await signingIn.withPassword(name, password, clientOf(request)).catch((error) => {
        // Without the name: people type passwords into its field.
        logger.warn({ ip: request.ip, code: error.code }, 'a sign-in failed')
        throw error
      })
      logger.info({ operatorId: opened.session.operator_id, ip: request.ip }, 'an operator signed in')
      return await giveSession(opened, { request, reply }, deps)
    },
  )
}
