import { rateLimited } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
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
import { type Client, clientOf, newSession, type StartSessionDeps, startSession } from '../sessions/start-session.ts'
import type { SignInThrottle } from '../sign-in/sign-in-throttle.ts'
import type { IdentitiesStore } from '../storage/identities-store.ts'
import type { IdentityProvider, ProviderState } from './identity-provider.ts'
import { ProviderAnswer } from './provider-schemas.ts'

type Deps = StartSessionDeps & {
  provider: Pick<IdentityProvider, 'finish'> | undefined
  providerCookie: SealedCookie<ProviderState>
  identities: Pick<IdentitiesStore, 'signIn'>
  throttle: SignInThrottle
  logger: Logger
}

/** POST /operator/session/provider */
export function signInWithProvider(app: HttpServer, deps: Deps) {
  const { provider, providerCookie, identities, throttle, logger, now } = deps

  async function open(query: string, visit: ProviderState, client: Client) {
    if (provider === undefined) throw noProvider()
    const person = await provider.finish(query, visit)
    const spent = { challengeSha256: tokenHash(visit.state), expiresAtMs: visit.expiresAtMs }
    let token = ''
    const result = await identities.signIn(person, spent, (operatorId) => {
      const opened = newSession(operatorId, client, now())
      token = opened.token
      return opened.row
    })
    if (result.outcome === 'used') throw providerEnded()
    if (result.outcome === 'no role') {
      const { operatorId, endedSessions } = result
      logger.warn({ operatorId, endedSessions, ip: client.address }, 'the groups of a person have no role')
      throw noProviderRole()
    }
    const { session, operator, isNew, keptRole } = result
    const facts = { operatorId: operator.id, role: person.role, isNew, keptRole, ip: client.address }
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
      const lane = `provider from ${request.ip}`
      const opened = await throttle
        .attempt({ lane }, () => open(request.body.query, visit, clientOf(request)))
        .catch((error) => {
          logger.warn({ ip: request.ip, code: error.code }, 'sign-in through the identity provider failed')
          throw error
        })
      providerCookie.clear(reply)
      return await startSession(opened, { request, reply }, deps)
    },
  )
}
