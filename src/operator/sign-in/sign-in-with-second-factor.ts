import { rateLimited } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { Logger } from '#platform/logger.ts'
import { crossSite, signInStepEnded, wrongCode } from '../errors.ts'
import { SecondFactorCode } from '../factors/factor-schemas.ts'
import { Session } from '../schemas.ts'
import type { SealedCookie } from '../sessions/sealed-cookie.ts'
import { clientOf, type StartSessionDeps, startSession } from '../sessions/start-session.ts'
import type { SecondStepSignIn, SecondStepState } from './second-step.ts'

type Deps = StartSessionDeps & {
  secondStep: SecondStepSignIn
  secondStepCookie: SealedCookie<SecondStepState>
  logger: Logger
}

/** POST /operator/session/second-factor */
export function signInWithSecondFactor(app: HttpServer, deps: Deps) {
  const { secondStep, secondStepCookie, knownBrowsers, logger } = deps
  app.post(
    '/operator/session/second-factor',
    {
      schema: {
        operationId: 'signInWithSecondFactor',
        summary: 'Sign in with a second factor',
        description:
          'Follows a sign-in that was answered with 202, in the same browser. Each code works once. Failures are slowed down as those of passwords are.',
        tags: ['Signing in'],
        body: SecondFactorCode,
        problems: [wrongCode, crossSite, signInStepEnded, rateLimited],
        response: { 200: Session },
      },
    },
    async (request, reply) => {
      const state = secondStepCookie.read(request)
      const client = { ...clientOf(request), known: knownBrowsers.find(request) }
      const opened = await secondStep.withCode(state, request.body.code, client).catch((error) => {
        logger.warn({ operatorId: state?.operatorId, ip: request.ip, code: error.code }, 'second factor failed')
        throw error
      })
      secondStepCookie.clear(reply)
      logger.info({ operatorId: opened.session.operator_id, ip: request.ip }, 'operator signed in with a second factor')
      return await startSession(opened, { request, reply }, deps)
    },
  )
}
