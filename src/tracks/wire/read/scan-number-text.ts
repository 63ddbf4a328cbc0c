import { GIVE_UP } from './scan-text.ts'

export const MINUS = 0x2d
const PLUS = 0x2b
export const POINT = 0x2e
export const ZERO = 0x30
const NINE = 0x39
const LETTER_E = 0x65
const LOWER_CASE = 0x20

/** True for `0` to `9`. */
export function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE
}

/** True for the first byte of an exponent. */
export function isLetterE(byte: number): boolean {
  return (byte | LOWER_CASE) === LETTER_E
}

/**
 * Reads the number at `start` with `Number`, which accepts any length and exponent. The whole part is known to be valid
 * JSON.
 */
export function scanNumberText(bytes: Buffer, start: number, column: Float64Array, index: number): number {
  let end = skipDigits(bytes, bytes[start] === MINUS ? start + 1 : start)
  if (bytes[end] === POINT) {
    const firstDecimal = end + 1
    end = skipDigits(bytes, firstDecimal)
    if (end === firstDecimal) return GIVE_UP
  }
  if (isLetterE(bytes[end])) {
    const sign = bytes[end + 1]
    const firstDigit = sign === PLUS || sign === MINUS ? end + 2 : end + 1
    end = skipDigits(bytes, firstDigit)
    if (end === firstDigit) return GIVE_UP
  }
  const value = Number(bytes.toString('latin1', start, end))
  column[index] = value
  return Number.isFinite(value) ? end : GIVE_UP
}

function skipDigits(bytes: Buffer, start: number): number {
  let at = start
  while (isDigit(bytes[at])) at++
  return at
}
