import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { UsageError } from '../basics/command.ts'

// The STREAM construction (Hoang, Reyhanitabar, Rogaway, Vizár: Online Authenticated-Encryption and its Nonce-Reuse
// Misuse-Resistance, 2015), as the age format has it (https://age-encryption.org/v1), with AES-256-GCM of Node.js in
// place of ChaCha20-Poly1305. See docs/decisions/0017-upgrades-and-backups.md.

const SALT_BYTES = 32
const CHUNK_BYTES = 65_536
const TAG_BYTES = 16
const NONCE_BYTES = 12

/** Returns the size of a sealed file by the size of its content. */
export function sealedSize(size: number): number {
  return SALT_BYTES + size + TAG_BYTES * Math.max(1, Math.ceil(size / CHUNK_BYTES))
}

/**
 * Encrypts a stream: a salt, then chunks of 64 KiB, each with its tag. The key of the file is derived from the salt and
 * the name, so a file cannot take the place of another. The nonce of a chunk is its number, and marks the last one, so
 * chunks cannot be cut off, reordered or added.
 */
export async function* seal(
  source: AsyncIterable<Uint8Array>,
  key: Buffer,
  name: string,
): AsyncGenerator<Buffer, void, void> {
  const salt = randomBytes(SALT_BYTES)
  const fileKey = deriveFileKey(key, salt, name)
  yield salt
  for await (const { bytes, number, isLast } of chunksOf(source, CHUNK_BYTES)) {
    const cipher = createCipheriv('aes-256-gcm', fileKey, nonceOf(number, isLast))
    yield cipher.update(bytes)
    cipher.final()
    yield cipher.getAuthTag()
  }
}

/** Decrypts a stream of `seal`. @throws BackupError at the first chunk that is not as it was written */
export async function* unseal(
  source: AsyncIterable<Uint8Array>,
  key: Buffer,
  name: string,
): AsyncGenerator<Buffer, void, void> {
  const reader = takeBytes(source)
  const salt = await reader.take(SALT_BYTES)
  if (salt.length < SALT_BYTES) throw damaged(name)
  const fileKey = deriveFileKey(key, salt, name)
  for await (const { bytes, number, isLast } of chunksOf(reader.rest(), CHUNK_BYTES + TAG_BYTES)) {
    if (bytes.length < TAG_BYTES || (bytes.length === TAG_BYTES && number > 0)) throw damaged(name)
    const end = bytes.length - TAG_BYTES
    const decipher = createDecipheriv('aes-256-gcm', fileKey, nonceOf(number, isLast), { authTagLength: TAG_BYTES })
    decipher.setAuthTag(bytes.subarray(end))
    const opened = decipher.update(bytes.subarray(0, end))
    try {
      decipher.final()
    } catch {
      throw damaged(name)
    }
    yield opened
  }
}

function damaged(name: string): BackupError {
  return new BackupError(`${name} is damaged: it was changed, cut off or swapped, or belongs to another backup`)
}

function deriveFileKey(key: Buffer, salt: Buffer, name: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, salt, `trackpress backup file\n${name}`, 32))
}

/** Eleven bytes with the number of the chunk, and one that is 1 for the last. */
function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES)
  nonce.writeBigUInt64BE(BigInt(number), NONCE_BYTES - 9)
  nonce[NONCE_BYTES - 1] = isLast ? 1 : 0
  return nonce
}

type Chunk = { bytes: Buffer; number: number; isLast: boolean }

/** Cuts a stream into chunks of one size. The last may be shorter; an empty stream has one empty chunk. */
async function* chunksOf(source: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Chunk> {
  const reader = takeBytes(source)
  let bytes = await reader.take(size)
  for (let number = 0; ; number++) {
    const next = bytes.length < size ? Buffer.alloc(0) : await reader.take(size)
    const isLast = next.length === 0
    yield { bytes, number, isLast }
    if (isLast) return
    bytes = next
  }
}

/** Reads a stream by numbers of bytes. */
function takeBytes(source: AsyncIterable<Uint8Array>) {
  const iterator = source[Symbol.asyncIterator]()
  let held: Uint8Array = Buffer.alloc(0)

  /** Returns the next bytes as they come; undefined at the end. */
  async function some(): Promise<Uint8Array | undefined> {
    if (held.length > 0) {
      const bytes = held
      held = Buffer.alloc(0)
      return bytes
    }
    const next = await iterator.next()
    return next.done === true ? undefined : next.value
  }

  return {
    /** Returns this many bytes, fewer only at the end. */
    async take(size: number): Promise<Buffer> {
      const taken = Buffer.allocUnsafe(size)
      let length = 0
      while (length < size) {
        const bytes = await some()
        if (bytes === undefined) break
        const fits = Math.min(bytes.length, size - length)
        taken.set(bytes.subarray(0, fits), length)
        length += fits
        held = bytes.subarray(fits)
      }
      return taken.subarray(0, length)
    },

    async *rest(): AsyncGenerator<Uint8Array> {
      for (let bytes = await some(); bytes !== undefined; bytes = await some()) if (bytes.length > 0) yield bytes
    },
  }
}

/** A key that is encrypted under a passphrase. */
export type WrappedKey = { salt: string; key: string }

const BACKUP_KEY_SALT_BYTES = 16
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
  const salt = randomBytes(BACKUP_KEY_SALT_BYTES)
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

/** Thrown when a backup cannot be made, read or restored, for a reason that the operator can act on. */
export class BackupError extends UsageError {
  override name = 'BackupError'
}
