import type { FastifyRequest } from 'fastify'
import { rateLimited } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { addressGroup } from '#platform/http/limits/client-address.ts'
import type { Logger } from '#platform/logger.ts'
import { tokenHash } from '#platform/tokens/token.ts'
import {
  crossSite,
  noProvider,
  noProviderRole,
  providerEnded,
  providerRefused,
  providerUnavailable,
} from '../errors.ts'
import { Session } from '../schemas.ts'
import type { SealedCookie } from '../sessions/sealed-cookie.ts'
import { clientOf, newSession, type StartSessionDeps, startSession } from '../sessions/start-session.ts'
import type { SignInThrottle } from '../sign-in/sign-in-throttle.ts'
import type { IdentitiesStore } from '../storage/identities-store.ts'
import type { Identity, IdentityProvider, ProviderState } from './identity-provider.ts'
import { ProviderAnswer } from './provider-schemas.ts'
import { recordChange } from './record-change.ts'

type Deps = StartSessionDeps & {
  provider: Pick<IdentityProvider, 'finish'> | undefined
  providerCookie: SealedCookie<ProviderState>
  identities: Pick<IdentitiesStore, 'planChange' | 'signIn'>
  throttle: SignInThrottle
  logger: Logger
}

/** POST /operator/session/provider */
export function signInWithProvider(app: HttpServer, deps: Deps) {
  const { provider, providerCookie, identities, audit, throttle, logger, now } = deps

  async function open(request: FastifyRequest, query: string, visit: ProviderState) {
    if (provider === undefined) throw noProvider()
    const client = clientOf(request)
    const person = await provider.finish(query, visit)
    const spent = { challengeSha256: tokenHash(visit.state), expiresAtMs: visit.expiresAtMs }
    let token = ''
    const change = await identities.planChange(person)
    const result = await recordChange(request, audit, { change, person }, () =>
      identities.signIn(person, spent, (operatorId) => {
        const opened = newSession(operatorId, client, now())
        token = opened.token
        return { ...opened.row, confirmed_at: confirmedAt(person, now()), provider_session_id: person.sessionId }
      }),
    )
    if (result.outcome === 'used') throw providerEnded()
    if (result.outcome === 'no role') {
      const { operatorId, isSuspended } = result
      logger.warn({ operatorId, isSuspended, ip: client.address }, 'the groups of a person have no role')
      throw noProviderRole()
    }
    const { session, operator, isNew } = result
    const facts = { operatorId: operator.id, role: person.role, isNew, ip: client.address }
    logger.info(facts, 'operator signed in through the identity provider')
    return { session: { ...session, operator_name: operator.name }, token }
  }

  app.post(
    '/operator/session/provider',
    {
      schema: {
        operationId: 'signInWithProvider',
        summary: 'Sign in through the identity provider',
        description:
          'Ends what `signInWithProviderAddress` began, in the same browser. The groups of the person give its role, at each sign-in. A person who is new here gets an account.',
        tags: ['Signing in'],
        body: ProviderAnswer,
        problems: [
          providerRefused,
          crossSite,
          noProviderRole,
          noProvider,
          providerEnded,
          rateLimited,
          providerUnavailable,
        ],
        response: { 200: Session },
      },
    },
    async (request, reply) => {
      const visit = providerCookie.read(request)
      if (visit?.purpose !== 'sign in') throw providerEnded()
      // A lane of its own: waiting for a provider takes no place from those who type passwords.
      const lane = `provider from ${addressGroup(request.ip)}`
      const opened = await throttle
        .attempt({ lane }, () => open(request, request.body.query, visit))
        .catch((error) => {
          logger.warn({ ip: request.ip, code: error.code }, 'sign-in through the identity provider failed')
          throw error
        })
      providerCookie.clear(reply)
      return await startSession(opened, { request, reply }, deps)
    },
  )
}

/**
 * Returns the time at which a new session counts as confirmed: not later than the person has signed in at the provider,
 * which may be weeks ago. A provider that does not say when confirms nothing.
 */
function confirmedAt({ authenticatedAtMs = 0 }: Identity, nowMs: number): number {
  return Math.min(nowMs, authenticatedAtMs)
}
