import type { Kysely } from 'kysely'
import type { ClientAuth, Configuration } from 'openid-client'
import type { Settings } from '#platform/basics/config.ts'
import { AppError } from '#platform/basics/errors.ts'
import type { Logger } from '#platform/basics/logger.ts'
import type { Secrets } from '#platform/basics/secrets.ts'
import type { OperatorRole } from '#platform/credentials/operator-access.ts'
import type { operatorConfig } from '../model/config.ts'
import { CHALLENGE, providerRefused, providerUnavailable } from '../model/errors.ts'
import { createLocalCredentials } from '../model/provider-accounts.ts'
import type { OperatorTables } from '../model/tables.ts'
import { createSealedCookie } from '../sessions/cookies.ts'
import { createIdentitiesStore } from './identities-store.ts'
import { type ProviderKeys, type ProviderLogout, providerKeys, verifyLogoutToken } from './provider-logout.ts'
import {
  type ProviderSettings,
  providerAccounts,
  providerSettings,
  readGroups,
  roleOfGroups,
} from './provider-settings.ts'

/** Limit for each request to the provider. Somebody is waiting for it. */
const REQUEST_LIMIT_SEC = 8
/** Time for which the provider's description is used before it is read again. */
const DESCRIPTION_LIFETIME_MS = 3_600_000
/** Time for which a failure to read it is kept, so that strangers cannot make this server call in vain. */
const FAILURE_LIFETIME_MS = 10_000
const RETRY_AFTER_SEC = 10
/** Difference between the clocks of the provider and this server that is tolerated. */
const CLOCK_TOLERANCE_MS = 30_000

/**
 * Age of a sign-in at the provider from which it has to ask the person again. With any, the ID token has to say when
 * that was (OpenID Connect Core, 3.1.2.1), and nobody is asked more often than a session there usually lasts.
 */
const MAX_AGE_SEC = 30 * 86_400

/** Time for signing in at the provider, perhaps for the first time there. */
const PROVIDER_LIFETIME_MS = 1_800_000

/** Path of the page that the provider sends people back to. */
const RETURN_PATH = '/dashboard/sign-in/provider'

/** The purpose of a visit to the provider: to sign in, or to confirm the session of an operator. */
type ProviderPurpose = { purpose: 'sign in' } | { purpose: 'confirm'; operatorId: string }

/** A visit to the provider that was begun, as the sealed cookie of the browser keeps it. */
export type ProviderState = ProviderPurpose & {
  state: string
  nonce: string
  codeVerifier: string
  begunAtMs: number
  expiresAtMs: number
}

/**
 * A person at the provider. The subject stays the same and is never given to another
 * person, unlike names and mail addresses.
 */
export type Identity = {
  issuer: string
  subject: string
  name: string
  role: OperatorRole | undefined
  /** Time at which the person last entered a password or the like there; undefined if the provider does not say. */
  authenticatedAtMs: number | undefined
  /** Id of the session there (`sid`); null if the provider names none. */
  sessionId: string | null
}

type Deps = { settings: ProviderSettings; baseUrl: () => string; logger: Logger; now: () => number }
type Claims = { iss: string; sub: string; auth_time?: number; [claim: string]: unknown }

/**
 * Signs in with the authorization code flow of OpenID Connect, with PKCE, state and nonce. The provider is first
 * contacted when somebody signs in, so that one that is away does not delay the start.
 */
function createIdentityProvider({ settings, baseUrl, logger, now }: Deps) {
  const { issuer, clientId, scopes, groupsClaim, roles } = settings
  let keySet: ProviderKeys | undefined
  let described: { configuration: Promise<Configuration>; untilMs: number } | undefined

  /** Reads the provider's description once for all who ask, and after a failure not at once again. */
  async function configuration(): Promise<Configuration> {
    if (described === undefined || now() >= described.untilMs) {
      const reading = describeProvider(settings)
      const kept = { configuration: reading, untilMs: now() + DESCRIPTION_LIFETIME_MS }
      described = kept
      reading.catch(() => {
        kept.untilMs = now() + FAILURE_LIFETIME_MS
      })
    }
    return await described.configuration.catch((error) => Promise.reject(unavailable(error)))
  }

  function unavailable(err: unknown) {
    logger.warn({ err, issuer }, 'the identity provider cannot be reached')
    return providerUnavailable({ cause: err, retryAfterSec: RETRY_AFTER_SEC })
  }

  async function exchange(config: Configuration, query: string, visit: ProviderState): Promise<Identity> {
    const client = await library()
    const address = new URL(`${baseUrl()}${RETURN_PATH}`)
    address.search = query
    const tokens = await client.authorizationCodeGrant(config, address, {
      expectedState: visit.state,
      expectedNonce: visit.nonce,
      pkceCodeVerifier: visit.codeVerifier,
      idTokenExpected: true,
    })
    const claims: Claims = tokens.claims()!
    if (visit.purpose === 'confirm') requireNewAuthentication(claims, visit.begunAtMs)
    const groups =
      readGroups(claims, groupsClaim) ??
      readGroups(await userInfoOf(config, tokens.access_token, claims.sub), groupsClaim) ??
      []
    return identityIn(claims, roleOfGroups(groups, roles))
  }

  return {
    /** Begins a visit. Returns the address at the provider. @throws providerUnavailable */
    async begin(purpose: ProviderPurpose): Promise<{ url: string; state: ProviderState }> {
      const config = await configuration()
      const client = await library()
      const codeVerifier = client.randomPKCECodeVerifier()
      const secrets = { state: client.randomState(), nonce: client.randomNonce(), codeVerifier }
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: `${baseUrl()}${RETURN_PATH}`,
        scope: scopes,
        state: secrets.state,
        nonce: secrets.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        ...(purpose.purpose === 'confirm' ? { prompt: 'login', max_age: '0' } : { max_age: String(MAX_AGE_SEC) }),
      })
      const begunAtMs = now()
      return {
        url: url.href,
        state: { ...purpose, ...secrets, begunAtMs, expiresAtMs: begunAtMs + PROVIDER_LIFETIME_MS },
      }
    },

    /** Exchanges the query that the provider sent back. @throws providerRefused or providerUnavailable */
    async finish(query: string, visit: ProviderState): Promise<Identity> {
      const config = await configuration()
      return await exchange(config, query, visit).catch((error) => {
        if (isOutage(error)) throw unavailable(error)
        logger.warn({ err: error, issuer }, 'the answer of the identity provider was refused')
        throw providerRefused({ cause: error, headers: CHALLENGE })
      })
    },

    /** Verifies the token by which the provider ends sessions. @throws invalidLogoutToken or providerUnavailable */
    async verifyLogout(token: string): Promise<ProviderLogout> {
      const config = await configuration()
      keySet ??= await providerKeys(config)
      return await verifyLogoutToken(token, { config, keys: keySet, clientId }).catch((error) => {
        if (error instanceof AppError) throw error
        throw unavailable(error)
      })
    },
  }
}

/** Returns the claims of the UserInfo endpoint about a person; nothing if the provider has none. */
async function userInfoOf(
  config: Configuration,
  accessToken: string,
  subject: string,
): Promise<Readonly<Record<string, unknown>>> {
  if (config.serverMetadata().userinfo_endpoint === undefined) return {}
  const { fetchUserInfo } = await library()
  return await fetchUserInfo(config, accessToken, subject)
}

async function describeProvider({ issuer, clientId, clientSecret }: ProviderSettings): Promise<Configuration> {
  const client = await library()
  const isLocal = new URL(issuer).protocol === 'http:'
  const authentication = clientSecret === '' ? client.None() : authenticationWith(clientSecret, client)
  return await client.discovery(new URL(issuer), clientId, undefined, authentication, {
    timeout: REQUEST_LIMIT_SEC,
    // The signature of the ID token is checked as well, though it comes from the provider itself.
    execute: [client.enableNonRepudiationChecks, ...(isLocal ? [client.allowInsecureRequests] : [])],
  })
}

type Library = typeof import('openid-client')

/** Returns how a client with a secret shows that it is the client. The library takes no empty secret. */
function authenticationWith(clientSecret: string, client: Library): ClientAuth {
  const basic = client.ClientSecretBasic(clientSecret)
  const post = client.ClientSecretPost(clientSecret)
  // The provider's description says which it takes; without a word, it is the first (OpenID Connect Discovery, 3).
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    return (methods.includes('client_secret_basic') ? basic : post)(server, ...rest)
  }
}

/** Loads the library when somebody first signs in through the provider. */
function library(): Promise<Library> {
  return import('openid-client')
}

/** Refuses a person who did not sign in again. A provider that ignores `max_age` sends an earlier time, or none. */
function requireNewAuthentication({ auth_time }: Claims, begunAtMs: number): void {
  if (typeof auth_time !== 'number') throw new Error('The ID token does not have auth_time, which max_age requires')
  if (auth_time * 1000 < begunAtMs - CLOCK_TOLERANCE_MS) throw new Error('The person did not sign in again')
}

/** Tells whether the provider did not answer, or answered with an error of its own. */
function isOutage(error: unknown): boolean {
  for (let one = error; one instanceof Error; one = one.cause) {
    if (one.name === 'TimeoutError' || one.name === 'AbortError' || one.message === 'fetch failed') return true
    if (one.cause instanceof Response && one.cause.status >= 500) return true
  }
  return false
}

function identityIn(claims: Claims, role: OperatorRole | undefined): Identity {
  return {
    issuer: claims.iss,
    subject: claims.sub,
    name: nameIn(claims),
    role,
    authenticatedAtMs: claims.auth_time === undefined ? undefined : claims.auth_time * 1000,
    sessionId: typeof claims.sid === 'string' ? claims.sid : null,
  }
}

function nameIn(claims: Claims): string {
  const names = [claims.preferred_username, claims.name]
  return names.find((name): name is string => typeof name === 'string' && name.trim() !== '') ?? claims.sub
}

type Options = {
  config: Settings<typeof operatorConfig>
  secrets: Secrets
  baseUrl: () => string
  logger: Logger
  now: () => number
}

/** Builds the sign-in through a provider on the operators' database. @throws ConfigError */
export function buildProvider({ config, secrets, baseUrl, logger, now }: Options, db: Kysely<OperatorTables>) {
  const settings = providerSettings(config)
  const accounts = providerAccounts(config)
  return {
    /** Undefined without a provider in the settings. */
    provider: settings && createIdentityProvider({ settings, baseUrl, logger, now }),
    /** Null without a provider. */
    providerIssuer: settings?.issuer ?? null,
    /** Text of the button; null without a provider. */
    providerButton: settings?.button ?? null,
    /** Reach of new accounts that are not owners; null without a provider. */
    providerReach: settings?.newAccountsReach ?? null,
    /** The accounts of the provider. */
    providerAccounts: accounts,
    localCredentials: createLocalCredentials(db, accounts),
    identities: createIdentitiesStore(db, {
      accounts,
      reachesEverything: settings?.newAccountsReach !== 'nothing',
      now,
    }),
    providerCookie: createSealedCookie<ProviderState>('trackpress_provider', {
      secrets,
      baseUrl,
      now,
      lifetimeMs: PROVIDER_LIFETIME_MS,
    }),
  }
}
