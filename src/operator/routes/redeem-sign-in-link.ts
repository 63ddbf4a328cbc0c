import { rateLimited } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { OperatorDeps } from '../deps.ts'
import { crossSite, linkEnded } from '../errors.ts'
import { RedeemSignInLink, Session } from '../schemas.ts'
import { clientOf, expiryOf, sessionJson } from '../session-json.ts'

/** POST /operator/sign-in-link */
export function redeemSignInLink(app: HttpServer, { signingIn, cookie, now, logger }: OperatorDeps) {
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
      const { token: linkToken, password } = request.body
      const { session, token } = await signingIn.withLink(linkToken, password, clientOf(request))
      logger.info({ operatorId: session.operator_id, ip: request.ip }, 'an operator signed in with a link')
      cookie.write(reply, token, expiryOf(session) - now())
      return sessionJson(session)
    },
  )
}
