import { rateLimited } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { Logger } from '#platform/logger.ts'
import { tokenHash } from '#platform/tokens/token.ts'
import { beginRecord } from '../audit/record-requests.ts'
import { crossSite, linkEnded } from '../errors.ts'
import { SecondFactorNeeded } from '../factors/factor-schemas.ts'
import { Session, SignInLinkRedeem } from '../schemas.ts'
import { clientOf } from '../sessions/start-session.ts'
import type { OperatorsStore } from '../storage/operators-store.ts'
import { type AnswerSignInDeps, answerSignIn } from './answer-sign-in.ts'
import type { Authentication } from './authenticate.ts'

type Deps = AnswerSignInDeps & {
  authentication: Pick<Authentication, 'withLink'>
  operators: Pick<OperatorsStore, 'findByLink'>
  logger: Logger
}

/** POST /operator/sign-in-link */
export function redeemSignInLink(app: HttpServer, deps: Deps) {
  const { authentication, operators, now, logger } = deps
  app.post(
    '/operator/sign-in-link',
    {
      schema: {
        operationId: 'redeemSignInLink',
        summary: 'Use a sign-in link',
        description:
          "Sets the password and signs in. The operator's other sessions end. The link stays valid if the password is refused. It does not replace a second factor: an operator who has one gets 202, as at sign-in.",
        tags: ['Signing in'],
        body: SignInLinkRedeem,
        problems: [crossSite, linkEnded, rateLimited],
        response: { 200: Session, 202: SecondFactorNeeded },
      },
    },
    async (request, reply) => {
      const { token, password } = request.body
      const owner = await operators.findByLink(tokenHash(token), now())
      if (owner !== undefined) await beginRecord(request, deps, { operator_id: owner.id, operator_name: owner.name })
      const opened = await authentication.withLink(token, password, clientOf(request))
      const { id } = 'session' in opened ? { id: opened.session.operator_id } : opened.operator
      logger.info({ operatorId: id, ip: request.ip }, 'password set with a link')
      return await answerSignIn(opened, { request, reply }, deps)
    },
  )
}
