import { createHash, createHmac } from 'node:crypto'
import { deriveKey, isSameText, type Secrets } from '../basics/secrets.ts'

/** The rights that an address grants beyond its method and path. Anyone who has the address can read them. */
type Claims = Readonly<Record<string, string | number>>

type AddressToSign = {
  /** GET also grants HEAD. */
  method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  /** Path as the server sees it, without host or the prefix of a proxy. Unreserved characters and `/`. */
  path: string
  claims?: Claims
  /** Time from which the address is expired. */
  expiresAtMs: number
}

/** Result of a check. Claims are returned as text, even if the address has expired. */
type VerifiedAddress =
  | { result: 'valid' | 'expired'; claims: Readonly<Record<string, string>>; expiresAtMs: number }
  | { result: 'forged' }

/** Signs addresses that are capabilities for one purpose, and verifies them. */
export type AddressSigner = ReturnType<typeof createAddressSigner>

/** Paths of characters that no client or proxy rewrites (RFC 3986, 2.3). */
const PATH = /^(?:\/[A-Za-z0-9._~-]+)+$/
const CLAIM_NAME = /^[a-z][A-Za-z0-9_]*$/
const RESERVED_NAMES = ['expires', 'key', 'signature']
const SIGNED_TARGET = /^([^?#]*\?(?:[^#]*&)?expires=(\d{1,16})&key=([\w-]{8}))&signature=([\w-]{43})$/
/** Maximum length of a signed address, which must fit into logs and mails. */
const MAX_TARGET_LENGTH = 4096

type SigningKey = { id: string; key: Buffer }

/**
 * Signs with the first secret and accepts the signatures of all, so that a secret can be replaced while addresses are
 * in use. Each purpose has its own key: an address signed for one is forged for another. The signature covers the text
 * of method and target, with claims, expiry and key id, which leaves no room for interpretation. It does not cover the
 * host, because proxies change it.
 */
export function createAddressSigner(purpose: string, secrets: Secrets) {
  const keys = secrets.map((secret) => signingKey(secret, purpose))
  const [current] = keys

  return {
    /** Returns the path with its signed query: `/files/1?name=a&expires=1767225600000&key=…&signature=…`. */
    sign({ method, path, claims = {}, expiresAtMs }: AddressToSign): string {
      if (!PATH.test(path)) throw new Error(`${JSON.stringify(path)} cannot be signed`)
      if (!Number.isSafeInteger(expiresAtMs) || expiresAtMs < 0) throw new Error('An expiry is whole milliseconds')
      const target = `${path}?${claimsQuery(claims)}expires=${expiresAtMs}&key=${current.id}`
      const address = `${target}&signature=${signature(current, method, target)}`
      if (address.length > MAX_TARGET_LENGTH) throw new Error('The claims are too long to be signed')
      return address
    },

    /** Verifies the method and target of a request, as in its first line. */
    verify(method: string, target: string, nowMs: number): VerifiedAddress {
      const parts = target.length > MAX_TARGET_LENGTH ? null : SIGNED_TARGET.exec(target)
      const key = keys.find(({ id }) => id === parts?.[3])
      if (parts === null || key === undefined) return { result: 'forged' }
      const [, signed, expires, , given] = parts
      // The text is compared, because base64url has several spellings of the same bytes.
      if (!isSameText(given, signature(key, method === 'HEAD' ? 'GET' : method, signed))) return { result: 'forged' }
      const expiresAtMs = Number(expires)
      return { result: nowMs < expiresAtMs ? 'valid' : 'expired', claims: readClaims(signed), expiresAtMs }
    },
  }
}

function signingKey(secret: Buffer, purpose: string): SigningKey {
  const key = deriveKey(secret, `signed address: ${purpose}`)
  // 48 bits of its hash distinguish keys and reveal nothing about them.
  return { id: createHash('sha256').update(key).digest().subarray(0, 6).toString('base64url'), key }
}

/** Signs a JSON array, which separates method and target for any content. */
function signature({ key }: SigningKey, method: string, target: string): string {
  return createHmac('sha256', key)
    .update(JSON.stringify([method, target]))
    .digest('base64url')
}

function claimsQuery(claims: Claims): string {
  return Object.entries(claims)
    .map(([name, value]) => {
      if (!CLAIM_NAME.test(name) || RESERVED_NAMES.includes(name)) throw new Error(`${name} cannot name a claim`)
      return `${name}=${encodeUnreserved(String(value))}&`
    })
    .join('')
}

/** Encodes every character that is not unreserved. @throws URIError for a lone surrogate */
function encodeUnreserved(value: string): string {
  return encodeURIComponent(value).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
}

function readClaims(signed: string): Readonly<Record<string, string>> {
  const claims = Object.fromEntries(new URLSearchParams(signed.slice(signed.indexOf('?') + 1)))
  const { expires: _expires, key: _key, ...given } = claims
  return given
}
