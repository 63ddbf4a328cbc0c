import { createHmac } from 'node:crypto'
import { isSameText } from '../security/is-same-text.ts'
import { deriveKey, type Secrets } from '../security/secret.ts'

/** Header by which the doctor shows that it has the secret of the installation. */
export const TICKET_HEADER = 'x-doctor'

/** Time that a ticket is valid, either way: clocks may differ, which the doctor reports. */
const VALID_MS = 15 * 60_000

/** Returns a ticket for requests of the doctor. */
export function doctorTicket([secret]: Secrets, nowMs: number): string {
  return `${nowMs}.${signatureOf(secret, String(nowMs))}`
}

/** Tells whether a header is a ticket that was made with one of the secrets, a short time ago. */
export function isDoctorTicket(ticket: unknown, secrets: Secrets, nowMs: number): boolean {
  const [time, signature, ...others] = String(ticket).split('.')
  if (signature === undefined || others.length > 0 || !(Math.abs(nowMs - Number(time)) <= VALID_MS)) return false
  return secrets.some((secret) => isSameText(signature, signatureOf(secret, time)))
}

function signatureOf(secret: Buffer, time: string): string {
  return createHmac('sha256', deriveKey(secret, 'doctor')).update(time).digest('base64url')
}
