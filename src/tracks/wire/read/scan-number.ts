import { scanLongNumber } from './scan-long-number.ts'
import { isDigit, isLetterE, MINUS, POINT, scanNumberText, ZERO } from './scan-number-text.ts'
import { GIVE_UP } from './scan-text.ts'

/** Digits that fit into a 32-bit integer, which makes the fastest loops. */
const MAX_DIGITS = 9

/** Powers of ten, which a double holds exactly. */
const POWERS_OF_TEN = Float64Array.from({ length: MAX_DIGITS + 1 }, (_, exponent) => 10 ** exponent)

/**
 * Reads the JSON number at `start` into `column[index]` and returns the offset after it, or GIVE_UP for anything that
 * is not a JSON number or does not fit a double. Digits that make up an integer below 2^53 are divided by a power of
 * ten that is exact as well, so that the one rounding of the division gives the nearest double (Clinger, "How to read
 * floating point numbers accurately", 1990).
 */
export function scanNumber(bytes: Buffer, start: number, column: Float64Array, index: number): number {
  const isNegative = bytes[start] === MINUS
  const first = isNegative ? start + 1 : start
  let at = first
  let whole = 0
  while (isDigit(bytes[at])) whole = (Math.imul(whole, 10) + bytes[at++] - ZERO) | 0
  if (at === first || (bytes[first] === ZERO && at > first + 1)) return GIVE_UP
  if (at > first + MAX_DIGITS) return scanNumberText(bytes, start, column, index)
  let fraction = 0
  let decimals = 0
  if (bytes[at] === POINT) {
    const firstDecimal = ++at
    while (isDigit(bytes[at])) fraction = (Math.imul(fraction, 10) + bytes[at++] - ZERO) | 0
    decimals = at - firstDecimal
    if (decimals === 0) return GIVE_UP
    if (decimals > MAX_DIGITS) return scanLongNumber(bytes, start, whole, at, decimals, column, index)
  }
  const digits = whole * POWERS_OF_TEN[decimals] + fraction
  if (digits > Number.MAX_SAFE_INTEGER || isLetterE(bytes[at])) return scanNumberText(bytes, start, column, index)
  column[index] = (isNegative ? -digits : digits) / POWERS_OF_TEN[decimals]
  return at
}
