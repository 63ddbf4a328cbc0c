import { rateLimited } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { Logger } from '#platform/logger.ts'
import { crossSite, linkEnded } from '../errors.ts'
import { Session, SignInLinkRedeem } from '../schemas.ts'
import { clientOf, type StartSessionDeps, startSession } from '../sessions/start-session.ts'
import type { Authentication } from './authenticate.ts'

type Deps = StartSessionDeps & { authentication: Pick<Authentication, 'withLink'>; logger: Logger }

/** POST /operator/sign-in-link */
export function redeemSignInLink(app: HttpServer, deps: Deps) {
  const { authentication, logger } = deps
  app.post(
    '/operator/sign-in-link',
    {
      schema: {
        operationId: 'redeemSignInLink',
        summary: 'Use a sign-in link',
        description:
          "Sets the password and signs in. The operator's other sessions end. The link stays valid if the password is refused.",
        tags: ['Signing in'],
        body: SignInLinkRedeem,
        problems: [crossSite, linkEnded, rateLimited],
        response: { 200: Session },
      },
    },
    async (request, reply) => {
      const { token, password } = request.body
      const opened = await authentication.withLink(token, password, clientOf(request))
      logger.info({ operatorId: opened.session.operator_id, ip: request.ip }, 'operator signed in with a link')
      return await startSession(opened, { request, reply }, deps)
    },
  )
}
