import type { FastifyRequest } from 'fastify'
import { AppError, rateLimited } from '#platform/basics/errors.ts'
import { formatDateTime } from '#platform/basics/time.ts'
import { tokenHash } from '#platform/credentials/token.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { noProvider, providerConfirmationRefused, providerEnded, providerUnavailable } from '../model/errors.ts'
import { SessionConfirmed } from '../model/schemas.ts'
import { confirmedUntilMs } from '../model/sessions-store.ts'
import type { SignInDeps } from './deps.ts'
import { recordChange } from './provider-changes.ts'
import { limitVisits, ProviderAddress, ProviderAnswer } from './provider-sign-in.ts'

/** POST /operator/session/confirmation/provider */
export function confirmWithProvider(app: HttpServer, deps: SignInDeps) {
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

/** POST /operator/session/confirmation/provider/address */
export function beginProviderConfirmation(app: HttpServer, { provider, providerCookie }: SignInDeps) {
  app.post(
    '/operator/session/confirmation/provider/address',
    {
      onRequest: limitVisits(),
      schema: {
        operationId: 'confirmWithProviderAddress',
        summary: 'Begin to confirm the session at the identity provider',
        description: 'The provider is told to ask the person to sign in again.',
        tags: ['Signing in'],
        problems: [noProvider, rateLimited, providerUnavailable],
        response: { 200: ProviderAddress },
      },
    },
    async ({ operatorId }, reply) => {
      if (provider === undefined) throw noProvider()
      const { url, state } = await provider.begin({ purpose: 'confirm', operatorId })
      providerCookie.write(reply, state)
      return { url }
    },
  )
}
