import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'
const SECRET_BYTES = 32

/** Returns a new signing secret: `whsec_` and 32 random bytes in base64 (Standard Webhooks). */
export function newSigningSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}

/** The parts of a message that are signed. */
type SignedMessage = { id: string; timestampSec: number; body: string }

/**
 * Returns the header `webhook-signature`: an HMAC-SHA-256 of `<id>.<timestamp>.<body>` for each secret, separated by
 * spaces (https://www.standardwebhooks.com). A receiver accepts any of them, so that a secret can be exchanged.
 */
export function signatureHeader({ id, timestampSec, body }: SignedMessage, secrets: readonly string[]): string {
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
      return `v1,${createHmac('sha256', key).update(`${id}.${timestampSec}.${body}`).digest('base64')}`
    })
    .join(' ')
}
