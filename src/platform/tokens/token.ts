import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto'
import type { Keys } from '../security/secret.ts'

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Returns a new token: a readable prefix and 256 random bits, 43 characters of base64url. */
export function newToken(prefix: string): string {
  return `${prefix}_${randomBytes(32).toString('base64url')}`
}

/**
 * Returns the hash by which a token is looked up, in hexadecimal. A token has 256 random bits, so a plain hash cannot
 * be reversed by guessing, and the duration of a look-up by hash reveals nothing about the token.
 */
export function tokenHash(token: string): string {
  return hash('sha256', token, 'hex')
}

/**
 * Encrypts a token with the newest key so that an operator can be shown it again (AES-256-GCM: nonce, tag, ciphertext).
 */
export function sealToken(token: string, [newest]: Keys): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', newest, nonce)
  const sealed = Buffer.concat([cipher.update(token, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

/** Decrypts a token. Returns undefined if no key is that of the token, or the bytes were altered. */
export function openToken(sealed: Uint8Array, keys: Keys): string | undefined {
  return openSealed(sealed, keys)?.text
}

/** Decrypts a token, and returns the place of its key among the given ones, too. */
export function openSealed(sealed: Uint8Array, keys: Keys): { text: string; keyIndex: number } | undefined {
  for (const [keyIndex, key] of keys.entries()) {
    const text = openWith(sealed, key)
    if (text !== undefined) return { text, keyIndex }
  }
  return undefined
}

function openWith(sealed: Uint8Array, key: Buffer): string | undefined {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES))
    decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
    const opened = decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES))
    return Buffer.concat([opened, decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}
