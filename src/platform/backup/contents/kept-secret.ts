import { createHash } from 'node:crypto'
import { deriveKey } from '../../security/secret.ts'

/** Returns a hash by which a secret is recognised, and from which nothing of it can be computed. */
export function secretFingerprint(secret: string): string {
  const key = deriveKey(Buffer.from(secret, 'utf8'), 'fingerprint in a backup')
  return createHash('sha256').update(key).digest('hex')
}
