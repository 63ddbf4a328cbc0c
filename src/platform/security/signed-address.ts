import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { deriveKey } from './secret.ts'

/** What an address grants, beyond its method and path: a flat record, readable by whoever holds the address. */
export type Claims = Readonly<Record<string, string | number>>

export type AddressToSign = {
  /** GET grants HEAD, too. */
  method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  /** As the server sees it: without host, and without what a proxy puts before it. Unreserved characters and `/`. */
  path: string
  claims?: Claims
  /** From this moment on it is expired. */
  expiresAtMs: number
}

/** Claims come back as text; they are as they were signed also where the address has expired. */
export type VerifiedAddress =
  | { result: 'valid' | 'expired'; claims: Readonly<Record<string, string>>; expiresAtMs: number }
  | { result: 'forged' }

/** Makes addresses that are capabilities of one purpose, and knows its own again. */
export type AddressSigner = {
  /** The path with its signed query: `/files/1?name=a&expires=1767225600000&key=…&signature=…`. */
  sign(address: AddressToSign): string
  /** Judges the method and target of a request, as they stand in its first line. */
  verify(method: string, target: string, nowMs: number): VerifiedAddress
}

/** Characters that no client and no proxy writes in another way (RFC 3986, 2.3). */
const PATH = /^(?:\/[A-Za-z0-9._~-]+)+$/
const CLAIM_NAME = /^[a-z][A-Za-z0-9_]*$/
const RESERVED_NAMES = ['expires', 'key', 'signature']
const SIGNED_TARGET = /^([^?#]*\?(?:[^#]*&)?expires=(\d{1,16})&key=([\w-]{8}))&signature=([\w-]{43})$/
/** Addresses are in logs and mails; a longer one is none of ours. */
const MAX_TARGET_LENGTH = 4096

type SigningKey = { id: string; key: Buffer }

/**
 * Signs with the first secret and accepts the signatures of all, so that a secret can be replaced while addresses are
 * out. Each purpose has a key of its own: what was signed for one is forged for another. What is signed is the text
 * itself, method and target with claims, expiry and key id, so that no two readings of it can differ; the host never
 * is, for proxies change it.
 */
export function createAddressSigner(purpose: string, secrets: readonly [Buffer, ...Buffer[]]): AddressSigner {
  const keys = secrets.map((secret) => signingKey(secret, purpose))
  const [current] = keys

  return {
    sign({ method, path, claims = {}, expiresAtMs }) {
      if (!PATH.test(path)) throw new Error(`${JSON.stringify(path)} cannot be signed`)
      if (!Number.isSafeInteger(expiresAtMs) || expiresAtMs < 0) throw new Error('An expiry is whole milliseconds')
      const target = `${path}?${claimsQuery(claims)}expires=${expiresAtMs}&key=${current.id}`
      const address = `${target}&signature=${signature(current, method, target)}`
      if (address.length > MAX_TARGET_LENGTH) throw new Error('The claims are too long to be signed')
      return address
    },

    verify(method, target, nowMs) {
      const parts = target.length > MAX_TARGET_LENGTH ? null : SIGNED_TARGET.exec(target)
      const key = keys.find(({ id }) => id === parts?.[3])
      if (parts === null || key === undefined) return { result: 'forged' }
      const [, signed, expires, , given] = parts
      if (!isSame(given, signature(key, method === 'HEAD' ? 'GET' : method, signed))) return { result: 'forged' }
      const expiresAtMs = Number(expires)
      return { result: nowMs < expiresAtMs ? 'valid' : 'expired', claims: readClaims(signed), expiresAtMs }
    },
  }
}

function signingKey(secret: Buffer, purpose: string): SigningKey {
  const key = deriveKey(secret, `signed address: ${purpose}`)
  // 48 bits of its hash tell keys apart and say nothing about them.
  return { id: createHash('sha256').update(key).digest().subarray(0, 6).toString('base64url'), key }
}

/** The JSON array keeps method and target apart whatever is in them. */
function signature({ key }: SigningKey, method: string, target: string): string {
  return createHmac('sha256', key)
    .update(JSON.stringify([method, target]))
    .digest('base64url')
}

/** Compared as text: base64url has several spellings of the same bytes. */
function isSame(given: string, expected: string): boolean {
  return given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected))
}

function claimsQuery(claims: Claims): string {
  return Object.entries(claims)
    .map(([name, value]) => {
      if (!CLAIM_NAME.test(name) || RESERVED_NAMES.includes(name)) throw new Error(`${name} cannot name a claim`)
      return `${name}=${encodeUnreserved(String(value))}&`
    })
    .join('')
}

/** As `encodeURIComponent`, but leaving nothing that is not unreserved. @throws URIError for a lone surrogate */
function encodeUnreserved(value: string): string {
  return encodeURIComponent(value).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
}

function readClaims(signed: string): Readonly<Record<string, string>> {
  const claims = Object.fromEntries(new URLSearchParams(signed.slice(signed.indexOf('?') + 1)))
  const { expires: _expires, key: _key, ...given } = claims
  return given
}
