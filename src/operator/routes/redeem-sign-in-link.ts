import { rateLimited } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { OperatorDeps } from '../deps.ts'
import { crossSite, linkEnded } from '../errors.ts'
import { RedeemSignInLink, Session } from '../schemas.ts'
import { clientOf } from '../sessions/session-json.ts'
import { giveSession } from '../sessions/start-session.ts'

/** POST /operator/sign-in-link */
export function redeemSignInLink(app: HttpServer, deps: OperatorDeps) {
  const { signingIn, logger } = deps
  app.post(
    '/operator/sign-in-link',
    {
      schema: {
        operationId: 'redeemSignInLink',
        summary: 'Use a sign-in link',
        description:
          'Sets the password and signs in; sessions that were open elsewhere end. A password that is refused does not use the link up.',
        tags: ['Signing in'],
        body: RedeemSignInLink,
        problems: [crossSite, linkEnded, rateLimited],
        response: { 200: Session },
      },
    },
    async (request, reply) => {
      const { token, password } = request.body
      const opened = await signingIn.withLink(token, password, clientOf(request))
      logger.info({ operatorId: opened.session.operator_id, ip: request.ip }, 'an operator signed in with a link')
      return await giveSession(opened, { request, reply }, deps)
    },
  )
}
