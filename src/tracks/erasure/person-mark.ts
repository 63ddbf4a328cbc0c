import { createHmac, randomBytes } from 'node:crypto'
import { isSameText } from '#platform/security/is-same-text.ts'
import type { Keys } from '#platform/security/secret.ts'
import { openToken, sealToken } from '#platform/tokens/token.ts'

/** The person of a receipt, without the name. */
type PersonMark = { person_mac: string; sealed_key: Uint8Array }

/**
 * Marks a person so that it can be proven later whose receipt it is: an HMAC-SHA-256 of the `user_id`. Its key is
 * random, so that nobody can try all bib numbers, and that two receipts do not tell that they are of one person. The
 * key is sealed, so that it survives a change of the installation's secret.
 */
export function markPerson(userId: string, receiptKeys: Keys): PersonMark {
  const key = randomBytes(32).toString('base64url')
  return { person_mac: macOf(userId, key), sealed_key: sealToken(key, receiptKeys) }
}

/** Tells whether a receipt is that of a person; undefined if its key cannot be opened. */
export function isMarked(
  userId: string,
  { person_mac, sealed_key }: PersonMark,
  receiptKeys: Keys,
): boolean | undefined {
  const key = openToken(sealed_key, receiptKeys)
  if (key === undefined) return undefined
  return isSameText(person_mac, macOf(userId, key))
}

function macOf(userId: string, key: string): string {
  return createHmac('sha256', Buffer.from(key, 'base64url')).update(userId).digest('hex')
}
