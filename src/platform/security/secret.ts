import { hkdfSync, randomBytes } from 'node:crypto'
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A file that lost its content must not become a secret that anyone can guess. */
const MIN_BYTES = 32

/**
 * Returns the secret of an installation: the given text, or the content of `dataDir/secret`, which is created at the first
 * start. Two processes that start at once on an empty folder get the same secret.
 */
export function readSecret(given: string, dataDir: string): Buffer {
  if (given !== '') return Buffer.from(given, 'utf8')
  const path = join(dataDir, 'secret')
  const existing = readIfExists(path)
  if (existing !== undefined) return existing
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`
  writeFileSync(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flush: true })
  chmodSync(draft, 0o600)
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

function readIfExists(path: string): Buffer | undefined {
  try {
    const secret = Buffer.from(readFileSync(path, 'utf8').trim(), 'utf8')
    if (secret.length < MIN_BYTES) throw new Error(`${path} holds no secret. Restore it from a backup`)
    return secret
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Derives a 256-bit key for one purpose, so that text signed or sealed for it is worthless for another (RFC 5869). */
export function deriveKey(secret: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), purpose, 32))
}
