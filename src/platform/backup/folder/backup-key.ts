import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { BackupError } from '../backup-error.ts'

/** A key that is encrypted under a passphrase. */
export type WrappedKey = { salt: string; key: string }

const SALT_BYTES = 16
const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_BYTES = 32

/**
 * The cost that OWASP recommends for passwords, 128 MiB and some tenths of a second
 * (https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html#scrypt). It belongs to the format
 * of the folder: read from a file, it could be chosen to exhaust the machine.
 */
const COST = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1_048_576 }

/** Makes a new key, and encrypts it under a passphrase. */
export async function wrapNewKey(passphrase: string): Promise<{ key: Buffer; wrapped: WrappedKey }> {
  const key = randomBytes(KEY_BYTES)
  const salt = randomBytes(SALT_BYTES)
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', await stretch(passphrase, salt), nonce)
  const sealed = Buffer.concat([cipher.update(key), cipher.final()])
  const bytes = Buffer.concat([nonce, sealed, cipher.getAuthTag()])
  return { key, wrapped: { salt: salt.toString('base64'), key: bytes.toString('base64') } }
}

/** Decrypts a key. @throws BackupError if the passphrase is another one */
export async function unwrapKey(wrapped: WrappedKey, passphrase: string): Promise<Buffer> {
  const bytes = Buffer.from(wrapped.key, 'base64')
  const stretched = await stretch(passphrase, Buffer.from(wrapped.salt, 'base64'))
  try {
    const decipher = createDecipheriv('aes-256-gcm', stretched, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()])
  } catch {
    throw new BackupError('The passphrase is not the one of this backup, or backup.json is damaged')
  }
}

async function stretch(passphrase: string, salt: Buffer): Promise<Buffer> {
  // One spelling of accents, so that a passphrase typed on another system is the same (RFC 8265, 4.2.1).
  const options = promisify<string, Buffer, number, typeof COST, Buffer>(scrypt)
  return await options(passphrase.normalize('NFC'), salt, KEY_BYTES, COST)
}
