import type { FastifyRequest } from 'fastify'
import { AppError, rateLimited } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { Logger } from '#platform/logger.ts'
import { formatDateTime } from '#platform/time/date-time.ts'
import { tokenHash } from '#platform/tokens/token.ts'
import type { AuditLog } from '../audit/audit-log.ts'
import { confirmedUntilMs } from '../domain/session-lifetime.ts'
import { noProvider, providerConfirmationRefused, providerEnded, providerUnavailable } from '../errors.ts'
import { SessionConfirmed } from '../schemas.ts'
import type { SealedCookie } from '../sessions/sealed-cookie.ts'
import type { SignInThrottle } from '../sign-in/sign-in-throttle.ts'
import type { IdentitiesStore } from '../storage/identities-store.ts'
import type { SessionsStore } from '../storage/sessions-store.ts'
import type { IdentityProvider, ProviderState } from './identity-provider.ts'
import { ProviderAnswer } from './provider-schemas.ts'
import { recordChange } from './record-change.ts'

type Deps = {
  provider: Pick<IdentityProvider, 'finish'> | undefined
  providerCookie: SealedCookie<ProviderState>
  identities: Pick<IdentitiesStore, 'planChange' | 'confirm'>
  audit: AuditLog
  sessions: Pick<SessionsStore, 'confirm'>
  throttle: SignInThrottle
  logger: Logger
  now: () => number
}

/** POST /operator/session/confirmation/provider */
export function confirmWithProvider(app: HttpServer, deps: Deps) {
  const { provider, providerCookie, identities, audit, sessions, throttle, logger, now } = deps

  async function confirm(request: FastifyRequest, query: string): Promise<void> {
    const { operatorId } = request
    const visit = providerCookie.read(request)
    if (provider === undefined) throw noProvider()
    if (visit?.purpose !== 'confirm' || visit.operatorId !== operatorId) throw providerEnded()
    const person = await provider.finish(query, visit).catch((error) => {
      // To the dashboard, a 401 would mean that the session has ended.
      throw error instanceof AppError && error.status === 401 ? providerConfirmationRefused({ cause: error }) : error
    })
    const spent = { challengeSha256: tokenHash(visit.state), expiresAtMs: visit.expiresAtMs }
    const change = await identities.planChange(person)
    const outcome = await recordChange(request, audit, { change, person }, () =>
      identities.confirm(operatorId, person, spent),
    )
    if (outcome === 'used') throw providerEnded()
    if (outcome !== 'confirmed') throw providerConfirmationRefused()
  }

  app.post(
    '/operator/session/confirmation/provider',
    {
      config: { operator: { role: 'viewer', effect: 'changes', withoutSecondFactor: true } },
      schema: {
        operationId: 'confirmWithProvider',
        summary: 'Confirm the session at the identity provider',
        description:
          'Ends what `confirmWithProviderAddress` began, in the same browser. Accepts only the person of this operator, who has signed in at the provider since then.',
        tags: ['Signing in'],
        body: ProviderAnswer,
        problems: [providerConfirmationRefused, noProvider, providerEnded, rateLimited, providerUnavailable],
        response: { 200: SessionConfirmed },
      },
    },
    async (request, reply) => {
      const { operatorId, operatorSession, body, ip } = request
      const lane = `provider of session ${operatorSession.token_sha256}`
      await throttle
        .attempt({ lane }, () => confirm(request, body.query))
        .catch((error) => {
          logger.warn({ operatorId, ip, code: error.code }, 'confirmation at the identity provider failed')
          throw error
        })
      const nowMs = now()
      providerCookie.clear(reply)
      await sessions.confirm(operatorSession.token_sha256, nowMs)
      logger.info({ operatorId, ip }, 'session confirmed at the identity provider')
      return { confirmed_until: formatDateTime(confirmedUntilMs(nowMs)) }
    },
  )
}
