import type { createRemoteJWKSet, JWTPayload } from 'jose'
import type { Configuration } from 'openid-client'
import { invalidLogoutToken } from '../model/errors.ts'

/** The published keys of the provider. They are read again when one is unknown, at most every 30 seconds. */
export type ProviderKeys = ReturnType<typeof createRemoteJWKSet>

/** Sessions that the provider ends: one of them, or all of a person. */
export type ProviderLogout = {
  issuer: string
  subject: string | undefined
  sessionId: string | undefined
  /** Id of the token, which counts once. */
  tokenId: string
}

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
/** Age from which a token is refused. Ids of tokens are remembered for longer than that. */
const MAX_TOKEN_AGE_SEC = 300
export const TOKEN_ID_LIFETIME_MS = 2 * MAX_TOKEN_AGE_SEC * 1000
const CLOCK_TOLERANCE_SEC = 30
const REQUEST_LIMIT_MS = 8_000
const REFRESH_KEYS_AFTER_MS = 30_000
const MAX_ID_LENGTH = 1_000

/** Errors of the library that say that a token is wrong. All others concern the keys. */
const REFUSED = /^ERR_(JWT|JWS|JOSE_ALG|JOSE_NOT_SUPPORTED|JWKS_NO_MATCHING|JWKS_MULTIPLE)/

/** Returns the keys that the provider publishes. They are read when the first token arrives. */
export async function providerKeys(config: Configuration): Promise<ProviderKeys> {
  const { createRemoteJWKSet } = await import('jose')
  const address = new URL(config.serverMetadata().jwks_uri!)
  return createRemoteJWKSet(address, { timeoutDuration: REQUEST_LIMIT_MS, cooldownDuration: REFRESH_KEYS_AFTER_MS })
}

type Options = { config: Configuration; keys: ProviderKeys; clientId: string }

/**
 * Verifies a logout token (OpenID Connect Back-Channel Logout 1.0, 2.6), signed with a key of the provider.
 * @throws invalidLogoutToken; errors of the library if the keys cannot be read
 */
export async function verifyLogoutToken(token: string, { config, keys, clientId }: Options): Promise<ProviderLogout> {
  const { jwtVerify } = await import('jose')
  const { issuer, id_token_signing_alg_values_supported: offered = ['RS256'] } = config.serverMetadata()
  const verified = await jwtVerify(token, keys, {
    issuer,
    audience: clientId,
    // As for ID tokens. A token that the client itself could sign proves nothing.
    algorithms: offered.filter((algorithm) => algorithm !== 'none' && !algorithm.startsWith('HS')),
    requiredClaims: ['iat', 'exp', 'jti'],
    maxTokenAge: MAX_TOKEN_AGE_SEC,
    clockTolerance: CLOCK_TOLERANCE_SEC,
  }).catch((error) => {
    throw REFUSED.test(error.code) ? invalidLogoutToken({ cause: error }) : error
  })
  const { typ } = verified.protectedHeader
  // The type is only recommended, and some providers send a general type.
  if (typ !== undefined && !['logout+jwt', 'jwt'].includes(typ.toLowerCase())) throw invalidLogoutToken()
  return readClaims(verified.payload)
}

function readClaims({ iss, sub, sid, jti, nonce, events }: JWTPayload): ProviderLogout {
  const event = typeof events === 'object' && events !== null && Object.getOwnPropertyDescriptor(events, EVENT)?.value
  const subject = idIn(sub)
  const sessionId = idIn(sid)
  const tokenId = idIn(jti)
  // An ID token has a nonce and no such event, and must not end sessions.
  if (typeof event !== 'object' || event === null || nonce !== undefined) throw invalidLogoutToken()
  if (tokenId === undefined || (subject === undefined && sessionId === undefined)) throw invalidLogoutToken()
  return { issuer: iss!, subject, sessionId, tokenId }
}

/** Returns an id; undefined without one. @throws invalidLogoutToken for anything else */
function idIn(value: unknown): string | undefined {
  if (value === undefined) return undefined
  if (typeof value !== 'string' || value === '' || value.length > MAX_ID_LENGTH) throw invalidLogoutToken()
  return value
}
