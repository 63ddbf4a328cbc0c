import Type from 'typebox'
import { rateLimited } from '#platform/basics/errors.ts'
import { tokenHash } from '#platform/credentials/token.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { readRequestBody } from '#platform/http/request-body.ts'
import { invalidLogoutToken, noProvider, providerUnavailable } from '../model/errors.ts'
import type { SignInDeps } from './deps.ts'
import { recordByProvider } from './provider-changes.ts'
import { TOKEN_ID_LIFETIME_MS } from './provider-logout.ts'
import { limitVisits, PROVIDER_PER_SECOND } from './provider-sign-in.ts'

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
