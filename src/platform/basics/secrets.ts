import { createHash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

/** The settings that secrets come from. */
export type SecretSettings = {
  /** Text of the secret; empty if `dataDir/secret` holds it. */
  secretKey: string
  /** Further secrets that are accepted. */
  secretKeyFallbacks: readonly string[]
  dataDir: string
}

/**
 * Returns the secrets of an installation: from the settings, or from `dataDir/secret`, which is created at the first
 * start. Two processes that start at once on an empty folder get the same secret.
 */
export function readSecrets({ secretKey, secretKeyFallbacks, dataDir }: SecretSettings): Secrets {
  const own = secretKey === '' ? readOrCreate(secretPath(dataDir)) : [secretKey]
  const [newest, ...older] = new Set([...own, ...secretKeyFallbacks])
  return [Buffer.from(newest!, 'utf8'), ...older.map((text) => Buffer.from(text, 'utf8'))]
}

/** Returns the path of the file with the secrets of an installation whose settings name none. One secret a line. */
export function secretPath(dataDir: string): string {
  return join(dataDir, 'secret')
}

/**
 * Makes a new secret the first of `dataDir/secret`. The others stay in it. The file is replaced at once, so that
 * a crash leaves the former or the new one.
 */
export function addSecret(dataDir: string): void {
  const path = secretPath(dataDir)
  const known = readOrCreate(path)
  replaceFile(path, [newSecret(), ...known])
}

/** Removes all secrets of `dataDir/secret` but the first. */
export function removeOldSecrets(dataDir: string): void {
  const path = secretPath(dataDir)
  replaceFile(path, readOrCreate(path).slice(0, 1))
}

function readOrCreate(path: string): string[] {
  const existing = readIfExists(path)
  if (existing !== undefined) return existing
  mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 })
  const draft = writeDraft(path, [newSecret()])
  try {
    // link fails if another process was first; rename would silently replace its secret.
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
  return readIfExists(path)!
}

function readIfExists(path: string): string[] | undefined {
  try {
    const secrets = linesOf(readFileSync(path, 'utf8'))
    if (secrets.length === 0 || secrets.some((text) => Buffer.byteLength(text) < MIN_SECRET_BYTES))
      throw new Error(`${path} holds no secret. Restore it from a backup`)
    return secrets
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Splits a text of one secret a line. */
export function linesOf(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

function replaceFile(path: string, secrets: readonly string[]): void {
  const draft = writeDraft(path, secrets)
  try {
    renameSync(draft, path)
  } finally {
    rmSync(draft, { force: true })
  }
  syncFolder(join(path, '..'))
}

function writeDraft(path: string, secrets: readonly string[]): string {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`
  writeFileSync(draft, `${secrets.join('\n')}\n`, { mode: 0o600, flush: true })
  chmodSync(draft, 0o600)
  return draft
}

/**
 * Syncs the folder's entries, so that a power cut does not bring the former file
 * back after later work relied on the new one.
 */
function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/**
 * The secrets of an installation, of which there is more than one during a replacement. The first signs and encrypts;
 * signatures and ciphertexts of all are accepted.
 */
export type Secrets = readonly [Buffer, ...Buffer[]]

/** The keys of one purpose, one of each secret and in the same order. */
export type Keys = readonly [Buffer, ...Buffer[]]

/**
 * Shortest secret, in bytes of its text. A file that lost its content must not become a secret that anyone can guess.
 */
const MIN_SECRET_BYTES = 32

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

/**
 * Compares a text of a stranger with a secret one, in a time that does not tell where they differ. Compares bytes:
 * texts of as many letters may have more of them, which `timingSafeEqual` refuses with an exception.
 */
export function isSameText(given: string, expected: string): boolean {
  const [ours, theirs] = [Buffer.from(expected), Buffer.from(given)]
  return theirs.length === ours.length && timingSafeEqual(theirs, ours)
}
