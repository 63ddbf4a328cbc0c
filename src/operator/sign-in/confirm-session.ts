import type { FastifyRequest } from 'fastify'
import { AppError, invalidFields, rateLimited } from '#platform/basics/errors.ts'
import { formatDateTime } from '#platform/basics/time.ts'
import { tokenHash } from '#platform/credentials/token.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { type PasskeyChallenge, passkeySite } from '../factors/passkeys.ts'
import { PasskeyOptions } from '../factors/schemas.ts'
import {
  noProvider,
  passkeyRefused,
  passkeysUnavailable,
  providerConfirmationRefused,
  providerEnded,
  providerUnavailable,
  secondFactorNeeded,
  signsInAtProvider,
  wrongConfirmationCode,
  wrongPassword,
} from '../model/errors.ts'
import { hasFactor } from '../model/factors-store.ts'
import { ConfirmationMethods, SessionConfirmation, SessionConfirmed } from '../model/schemas.ts'
import { confirmedUntilMs, type OpenSession } from '../model/sessions-store.ts'
import type { SignInDeps } from './authenticate.ts'
import { recordChange } from './provider-changes.ts'
import { limitVisits, ProviderAddress, ProviderAnswer } from './provider-sign-in.ts'

/** POST /operator/session/confirmation */
export function confirmSession(app: HttpServer, deps: SignInDeps) {
  const { passkeyCookie, sessions, logger, now } = deps
  app.post(
    '/operator/session/confirmation',
    {
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

/** Proof that the operator of a session is still there: one of these. */
type IdentityProof = { password?: string; code?: string; passkey?: { id: string } }

/**
 * Checks the proof. A code or an answer of a passkey is used up by it. A password is no proof for an operator who has a
 * second factor: with it alone, somebody could remove that factor.
 * @throws signsInAtProvider, secondFactorNeeded, wrongPassword, wrongConfirmationCode or passkeyRefused; rateLimited;
 * invalidFields for none or several
 */
async function confirmIdentity(
  session: OpenSession,
  { password, code, passkey }: IdentityProof,
  challenge: PasskeyChallenge | undefined,
  { authentication, secondFactors, passkeys, signInStore, localCredentials, throttle }: SignInDeps,
): Promise<void> {
  const operatorId = session.operator_id
  if ([password, code, passkey].filter((given) => given !== undefined).length !== 1)
    throw invalidFields([{ path: '', message: 'must have one of password, code and passkey' }])
  if (await localCredentials.areRefusedTo(operatorId)) throw signsInAtProvider()
  if (password !== undefined) {
    if ((await secondFactors.kindsOf(operatorId)).length > 0) throw secondFactorNeeded()
    return await authentication.verifyPassword(session, password)
  }
  if (code !== undefined)
    // A lane of its own: a right password would start the count of the session over.
    return await throttle.attempt({ lane: `code of session ${session.token_sha256}` }, async () => {
      const use = await secondFactors.match(operatorId, code)
      if (use === undefined || !(await signInStore.spendFactor(operatorId, use))) throw wrongConfirmationCode()
    })
  const matched = await passkeys.match(passkey!, 'confirm', challenge)
  if (matched?.operatorId !== operatorId || !(await signInStore.spendFactor(operatorId, matched.use)))
    throw passkeyRefused()
}

/** The ways of an account that signs in at the provider alone. */
const NOTHING = {
  may_have_credentials: false,
  password: false,
  has_password: false,
  authenticator_app: false,
  recovery_code: false,
  passkey: false,
}

/** GET /operator/session/confirmation */
export function getConfirmationMethods(app: HttpServer, deps: SignInDeps) {
  const { operators, factors, identities, localCredentials, providerIssuer, providerButton, baseUrl } = deps

  async function isKnownToProvider(operatorId: string): Promise<boolean> {
    if (providerIssuer === null) return false
    // Providers and settings may differ in the slash at the end.
    const issuers = (await identities.issuersOf(operatorId)).map((issuer) => new URL(issuer).href)
    return issuers.includes(new URL(providerIssuer).href)
  }

  app.get(
    '/operator/session/confirmation',
    {
      schema: {
        operationId: 'getConfirmationMethods',
        summary: 'Get the ways to confirm the session',
        description: 'What the current operator can confirm with. All are false or null if there is no way.',
        tags: ['Signing in'],
        response: { 200: ConfirmationMethods },
      },
    },
    async ({ operatorId }) => {
      const [operator, summary, isKnown, areRefused] = await Promise.all([
        operators.find(operatorId),
        factors.summary(operatorId),
        isKnownToProvider(operatorId),
        localCredentials.areRefusedTo(operatorId),
      ])
      const button = isKnown ? providerButton : null
      if (areRefused) return { ...NOTHING, provider: button }
      const hasPassword = operator?.password_hash != null
      return {
        may_have_credentials: true,
        password: hasPassword && !hasFactor(summary),
        has_password: hasPassword,
        authenticator_app: summary.appSinceMs !== undefined,
        recovery_code: summary.recoveryCodesLeft > 0,
        passkey: summary.passkeys > 0 && passkeySite(baseUrl()) !== undefined,
        provider: button,
      }
    },
  )
}

/** POST /operator/session/confirmation/options */
export function confirmWithPasskeyOptions(app: HttpServer, { passkeys, passkeyCookie }: SignInDeps) {
  app.post(
    '/operator/session/confirmation/options',
    {
      schema: {
        operationId: 'createConfirmationOptions',
        summary: 'Begin to confirm the session with a passkey',
        description: "Asks for one of the current operator's passkeys.",
        tags: ['Signing in'],
        problems: [passkeysUnavailable],
        response: { 200: PasskeyOptions },
      },
    },
    async ({ operatorId }, reply) => {
      const { options, challenge } = await passkeys.ask('confirm', operatorId)
      passkeyCookie.write(reply, challenge)
      return { options }
    },
  )
}

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
