import { rateLimited } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { OperatorDeps } from '../deps.ts'
import { crossSite, wrongCredentials } from '../errors.ts'
import { Session, SignIn } from '../schemas.ts'
import { clientOf, expiryOf, sessionJson } from '../session-json.ts'

/** POST /operator/session */
export function signIn(app: HttpServer, { signingIn, cookie, now, logger }: OperatorDeps) {
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
      const { session, token } = await signingIn.withPassword(name, password, clientOf(request))
      logger.info({ operatorId: session.operator_id, ip: request.ip }, 'an operator signed in')
      cookie.write(reply, token, expiryOf(session) - now())
      return sessionJson(session)
    },
  )
}
