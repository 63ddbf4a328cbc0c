import { rateLimited } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { Logger } from '#platform/logger.ts'
import { crossSite, wrongCredentials } from '../errors.ts'
import { SecondFactorNeeded } from '../factors/factor-schemas.ts'
import { Session, SignIn } from '../schemas.ts'
import { clientOf } from '../sessions/start-session.ts'
import { type AnswerSignInDeps, answerSignIn } from './answer-sign-in.ts'
import type { Authentication } from './authenticate.ts'

type Deps = AnswerSignInDeps & { authentication: Pick<Authentication, 'withPassword'>; logger: Logger }

/** POST /operator/session */
export function signIn(app: HttpServer, deps: Deps) {
  const { authentication, knownBrowsers, logger } = deps
  app.post(
    '/operator/session',
    {
      schema: {
        operationId: 'signIn',
        summary: 'Sign in',
        description:
          'The response sets the session cookie, and a cookie by which the browser is known at the next sign-in. After several failures, each further attempt has to wait twice as long. Failures of known browsers are counted on their own. An operator with a second factor gets 202, and a cookie to go on with.',
        tags: ['Signing in'],
        body: SignIn,
        problems: [wrongCredentials, crossSite, rateLimited],
        response: { 200: Session, 202: SecondFactorNeeded },
      },
    },
    async (request, reply) => {
      const { name, password } = request.body
      const client = { ...clientOf(request), known: knownBrowsers.find(request) }
      const opened = await authentication.withPassword(name, password, client).catch((error) => {
        // Without the name: people type passwords into its field.
        logger.warn({ ip: request.ip, code: error.code }, 'sign-in failed')
        throw error
      })
      if ('session' in opened)
        logger.info({ operatorId: opened.session.operator_id, ip: request.ip }, 'operator signed in')
      return await answerSignIn(opened, { request, reply }, deps)
    },
  )
}
