import { rateLimited } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { Logger } from '#platform/logger.ts'
import { formatDateTime } from '#platform/time/date-time.ts'
import { confirmedUntilMs } from '../domain/session-lifetime.ts'
import {
  passkeyRefused,
  secondFactorNeeded,
  signsInAtProvider,
  wrongConfirmationCode,
  wrongPassword,
} from '../errors.ts'
import type { PasskeyChallenge } from '../passkeys/passkeys.ts'
import { SessionConfirmation, SessionConfirmed } from '../schemas.ts'
import type { SealedCookie } from '../sessions/sealed-cookie.ts'
import type { SessionsStore } from '../storage/sessions-store.ts'
import { type ConfirmIdentityDeps, confirmIdentity } from './confirm-identity.ts'

type Deps = ConfirmIdentityDeps & {
  passkeyCookie: SealedCookie<PasskeyChallenge>
  sessions: Pick<SessionsStore, 'confirm'>
  logger: Logger
  now: () => number
}

/** POST /operator/session/confirmation */
export function confirmSession(app: HttpServer, deps: Deps) {
  const { passkeyCookie, sessions, logger, now } = deps
  app.post(
    '/operator/session/confirmation',
    {
      config: { operator: { role: 'viewer', effect: 'changes', withoutSecondFactor: true } },
      schema: {
        operationId: 'confirmSession',
        summary: 'Confirm the session',
        description:
          'Shows that the operator is still the one who signed in, with the password, or, once there is a second factor, with a code of the authenticator app, a recovery code or a passkey. For ten minutes, as after signing in, the session can do what answers 403 `CONFIRMATION_REQUIRED` otherwise, and for 12 hours it can publish documents. After several failures, each further attempt has to wait twice as long.',
        tags: ['Signing in'],
        body: SessionConfirmation,
        problems: [
          wrongPassword,
          secondFactorNeeded,
          wrongConfirmationCode,
          passkeyRefused,
          signsInAtProvider,
          rateLimited,
        ],
        response: { 200: SessionConfirmed },
      },
    },
    async (request, reply) => {
      const { operatorId, operatorSession, body, ip } = request
      await confirmIdentity(operatorSession, body, passkeyCookie.read(request), deps).catch((error) => {
        logger.warn({ operatorId, ip, code: error.code }, 'confirmation failed')
        throw error
      })
      const nowMs = now()
      if (body.passkey !== undefined) passkeyCookie.clear(reply)
      await sessions.confirm(operatorSession.token_sha256, nowMs)
      logger.info({ operatorId, ip }, 'session confirmed')
      return { confirmed_until: formatDateTime(confirmedUntilMs(nowMs)) }
    },
  )
}
