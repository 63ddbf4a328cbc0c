import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import Type from 'typebox'
import { rateLimited } from '#platform/basics/errors.ts'
import { tokenHash } from '#platform/credentials/token.ts'
import { addressGroup } from '#platform/http/client.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { countRequest, RateLimit } from '#platform/http/rate-limit.ts'
import { readRequestBody } from '#platform/http/request-body.ts'
import {
  crossSite,
  invalidLogoutToken,
  noProvider,
  noProviderRole,
  providerEnded,
  providerRefused,
  providerUnavailable,
} from '../model/errors.ts'
import { Session } from '../model/schemas.ts'
import { clientOf, newSession, startSession } from '../sessions/start-session.ts'
import type { SignInDeps } from './authenticate.ts'
import type { Identity, ProviderState } from './identity-provider.ts'
import { recordByProvider, recordChange } from './provider-changes.ts'
import { TOKEN_ID_LIFETIME_MS } from './provider-logout.ts'

export const ProviderAddress = Type.Object(
  {
    url: Type.String({
      description: 'Address at the provider that the browser has to open.',
      examples: ['https://sso.example.org/realms/office/protocol/openid-connect/auth?client_id=trackpress'],
    }),
  },
  { title: 'ProviderAddress' },
)
export type ProviderAddress = Static<typeof ProviderAddress>

export const ProviderAnswer = Type.Object(
  {
    query: Type.String({
      minLength: 1,
      maxLength: 8000,
      description: 'The query of the address that the provider sent the browser back to.',
      examples: ['?code=Qcb0Orv1zh30vL1MPRsbm&state=af0ifjsldkj'],
    }),
  },
  { title: 'ProviderAnswer' },
)

/** POST /operator/session/provider */
export function signInWithProvider(app: HttpServer, deps: SignInDeps) {
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
      // A lane of its own: waiting for a provider takes no place from people who type passwords.
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

/** POST /operator/session/provider/address */
export function beginProviderSignIn(app: HttpServer, { provider, providerCookie }: SignInDeps) {
  app.post(
    '/operator/session/provider/address',
    {
      onRequest: limitVisits(),
      schema: {
        operationId: 'signInWithProviderAddress',
        summary: 'Begin to sign in through the identity provider',
        description:
          'The response sets a cookie that the answer of the provider is checked with, within 30 minutes. The first request contacts the provider.',
        tags: ['Signing in'],
        problems: [crossSite, noProvider, rateLimited, providerUnavailable],
        response: { 200: ProviderAddress },
      },
    },
    async (_request, reply) => {
      if (provider === undefined) throw noProvider()
      const { url, state } = await provider.begin({ purpose: 'sign in' })
      providerCookie.write(reply, state)
      return { url }
    },
  )
}

/** Requests of one address in a second: an office may share it, and nobody clicks faster. */
const PER_ADDRESS = 20
/** For the provider, which may end the sessions of everybody at once. */
const PROVIDER_PER_SECOND = 200

/** Returns a hook that limits how fast one address can make requests that concern the provider. */
export function limitVisits(perAddress = PER_ADDRESS): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  const visits = new RateLimit(perAddress)
  return async (request, reply) => {
    await countRequest(reply, visits, addressGroup(request.ip))
  }
}

/** Larger than the token of any provider. */
const MAX_BODY_BYTES = 16_384
const FORM = 'application/x-www-form-urlencoded'

const LogoutRequest = Type.Object(
  {
    logout_token: Type.String({
      minLength: 1,
      maxLength: MAX_BODY_BYTES,
      description: 'The logout token, signed by the provider.',
      examples: ['eyJhbGciOiJSUzI1NiIsInR5cCI6ImxvZ291dCtqd3QifQ.eyJqdGkiOiJiSnEifQ.c2lnbmF0dXJl'],
    }),
  },
  { title: 'ProviderLogout' },
)

const SessionsEnded = Type.Object(
  { ended_sessions: Type.Integer({ description: 'Number of sessions that have ended.', examples: [1] }) },
  { title: 'SessionsEnded' },
)

/** POST /operator/provider/logout, in a scope of its own: the provider sends a form, and no cookie. */
export function signOutByProvider(
  app: HttpServer,
  { provider, identities, audit, bodyBudget, logger, now }: SignInDeps,
) {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(FORM, async (request: Parameters<typeof readRequestBody>[0]) => {
    const text = (await readRequestBody(request, MAX_BODY_BYTES, bodyBudget)).toString()
    return { logout_token: new URLSearchParams(text).get('logout_token') ?? '' }
  })
  app.post(
    '/operator/provider/logout',
    {
      onRequest: limitVisits(PROVIDER_PER_SECOND),
      schema: {
        operationId: 'signOutByProvider',
        summary: 'End sessions, as the identity provider',
        description:
          'For the identity provider (OpenID Connect Back-Channel Logout 1.0): ends the session that the token names, or all sessions of the person. Each token counts once, for five minutes.',
        tags: ['Signing in'],
        consumes: [FORM],
        body: LogoutRequest,
        problems: [invalidLogoutToken, noProvider, rateLimited, providerUnavailable],
        response: { 200: SessionsEnded },
      },
    },
    async (request) => {
      if (provider === undefined) throw noProvider()
      const logout = await provider.verifyLogout(request.body.logout_token).catch((error) => {
        logger.warn({ ip: request.ip, code: error.code, reason: error.cause?.code }, 'a logout token was refused')
        throw error
      })
      const spent = {
        challengeSha256: tokenHash(`logout token ${logout.issuer} ${logout.tokenId}`),
        expiresAtMs: now() + TOKEN_ID_LIFETIME_MS,
      }
      const found = await identities.findSignedOut(logout, spent)
      if (found === undefined) throw invalidLogoutToken()
      const end = () => identities.endSessions(logout, spent)
      // One session names one person; an issuer that gives its ids again ends several.
      const recorded = found.reduceRight(
        (run, subject) => () => recordByProvider(request, audit, { kind: 'sign out', subject }, run),
        end,
      )
      const ended = await recorded()
      if (ended === undefined) throw invalidLogoutToken()
      logger.info({ endedSessions: ended, ip: request.ip }, 'the identity provider ended sessions')
      return { ended_sessions: ended }
    },
  )
}
