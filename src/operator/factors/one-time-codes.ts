import { createHmac, randomBytes } from 'node:crypto'
import { isSameText } from '#platform/basics/secrets.ts'
import { tokenHash } from '#platform/credentials/token.ts'

/**
 * Time-based codes of authenticator apps (RFC 6238), with the parameters that all of them know: SHA-1, six digits, 30
 * seconds. SHA-1 is weak against collisions only, which an HMAC does not depend on; some apps ignore any other choice.
 */
const DIGITS = 6
const STEP_SEC = 30

/** Codes of the step before and after are right, too, because clocks differ and typing takes time (RFC 6238, 5.2). */
const WINDOW_STEPS = 1

/** 160 bits, as RFC 4226 (4, R6) recommends. */
export const TOTP_SECRET_BYTES = 20

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Returns the code of a time step, a count of 30 seconds since 1970. */
export function totpCode(secret: Buffer, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  // Dynamic truncation (RFC 4226, 5.3): the last four bits say where the number begins.
  const offset = mac[mac.length - 1] & 0x0f
  const number = mac.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/** Returns the time step of a moment. */
export function totpStep(timeMs: number): number {
  return Math.floor(timeMs / 1000 / STEP_SEC)
}

/**
 * Returns the time step that a code belongs to; undefined for a wrong code. Steps up to `usedStep` do not count: a code
 * opens something once, and with it all earlier ones are over.
 */
export function matchTotp(secret: Buffer, code: string, timeMs: number, usedStep: number): number | undefined {
  let matched: number | undefined
  for (let step = totpStep(timeMs) - WINDOW_STEPS; step <= totpStep(timeMs) + WINDOW_STEPS; step++) {
    const isRight = isSameText(code, totpCode(secret, step))
    if (step > usedStep && isRight) matched ??= step
  }
  return matched
}

/** Tells whether a text has the form of a code. */
export function isTotpCode(text: string): boolean {
  return new RegExp(`^\\d{${DIGITS}}$`).test(text)
}

/** Returns a secret as people type it into an app: Base32 without padding (RFC 4648). */
export function totpSecretText(secret: Buffer): string {
  let bits = ''
  for (const byte of secret) bits += byte.toString(2).padStart(8, '0')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => BASE32[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}

/** Returns the address in the QR code that apps read. `account` tells apart several installations and names. */
export function totpAddress(secret: Buffer, account: string): string {
  const issuer = 'Trackpress'
  const values = `secret=${totpSecretText(secret)}&issuer=${issuer}&algorithm=SHA1&digits=${DIGITS}&period=${STEP_SEC}`
  // The colon separates issuer and account, so that one within the account must not be read as it.
  return `otpauth://totp/${issuer}:${encodeURIComponent(account)}?${values}`
}

const RECOVERY_CODE_COUNT = 10

/** 80 random bits. So a plain hash suffices: at 10¹² guesses a second, trying all would take 38,000 years. */
const CHARACTERS = 16
const GROUP = 4

/** Base32 in the order of Crockford, without letters that are easily taken for digits or for each other. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** Returns new codes to write down: `k3vd-0q7w-…`. Each opens the account once, in place of the second factor. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODE_COUNT }, () => {
    const characters = [...randomBytes(CHARACTERS)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('')
    return characters.match(new RegExp(`.{${GROUP}}`, 'g'))!.join('-')
  })
}

/**
 * Returns the hash under which a code of an operator is stored, also if the code was typed without hyphens, in
 * capitals, or with letters that look like the right ones. Undefined for a text that is no recovery code.
 */
export function recoveryCodeHash(operatorId: string, text: string): string | undefined {
  const code = text.toLowerCase().replace(/[\s-]/g, '').replaceAll('o', '0').replace(/[il]/g, '1')
  const isCode = code.length === CHARACTERS && [...code].every((character) => ALPHABET.includes(character))
  return isCode ? tokenHash(`${operatorId} ${code}`) : undefined
}
