import { createHash, hkdfSync, randomBytes } from 'node:crypto'

/**
 * The secrets of an installation, of which there is more than one while one is being replaced. The first signs and
 * encrypts; what any of them has signed or encrypted is accepted.
 */
export type Secrets = readonly [Buffer, ...Buffer[]]

/** The keys of one purpose, one of each secret and in the same order. */
export type Keys = readonly [Buffer, ...Buffer[]]

/**
 * Shortest secret, in bytes of its text. A file that lost its content must not become a secret that anyone can guess.
 */
export const MIN_SECRET_BYTES = 32

/** Returns a new secret: 256 random bits as text. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Derives a 256-bit key for one purpose, so that text signed or sealed for it is worthless for another (RFC 5869). */
export function deriveKey(secret: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), purpose, 32))
}

/** Derives the key of a purpose from each secret. */
export function deriveKeys([newest, ...older]: Secrets, purpose: string): Keys {
  return [deriveKey(newest, purpose), ...older.map((secret) => deriveKey(secret, purpose))]
}

/**
 * Returns a short name of a secret for people: 32 bits of a hash of a key derived from it, which reveal nothing about
 * it.
 */
export function secretId(secret: Buffer): string {
  return createHash('sha256').update(deriveKey(secret, 'name of the secret')).digest('hex').slice(0, 8)
}
