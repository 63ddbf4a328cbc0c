import { GIVE_UP } from './scan-text.ts'

const MINUS = 0x2d
const PLUS = 0x2b
const POINT = 0x2e
const LETTER_E = 0x65
const ZERO = 0x30
const NINE = 0x39

/** Powers of ten that a double holds exactly. */
const POWERS_OF_TEN = Float64Array.from({ length: 10 }, (_, exponent) => 10 ** exponent)

/** So many digits fit into a 32-bit integer, with which a loop is twice as fast as with doubles. */
const SHORT_DIGITS = 9

/**
 * Reads the JSON number at `start` into `column[index]` and gives the offset after it, or GIVE_UP where JSON has no
 * such number or a double cannot hold it.
 * Digits that make up an integer below 2^53 are divided by a power of ten that is exact as well, so that the one
 * rounding of the division gives the nearest double (Clinger, "How to read floating point numbers accurately", 1990).
 */
export function scanNumber(bytes: Buffer, start: number, column: Float64Array, index: number): number {
  const isNegative = bytes[start] === MINUS
  const first = isNegative ? start + 1 : start
  let at = first
  let whole = 0
  for (let digit = bytes[at] - ZERO; digit >= 0 && digit <= 9; digit = bytes[++at] - ZERO) {
    whole = (Math.imul(whole, 10) + digit) | 0
  }
  const wholeDigits = at - first
  if (wholeDigits === 0 || (bytes[first] === ZERO && wholeDigits > 1)) return GIVE_UP
  let fraction = 0
  let decimals = 0
  if (bytes[at] === POINT) {
    const firstDecimal = ++at
    for (let digit = bytes[at] - ZERO; digit >= 0 && digit <= 9; digit = bytes[++at] - ZERO) {
      fraction = (Math.imul(fraction, 10) + digit) | 0
    }
    decimals = at - firstDecimal
    if (decimals === 0) return GIVE_UP
  }
  if ((bytes[at] | 0x20) === LETTER_E) return scanExponent(bytes, start, at, column, index)
  if (wholeDigits > SHORT_DIGITS || decimals > SHORT_DIGITS) return readToken(bytes, start, at, column, index)
  const digits = whole * POWERS_OF_TEN[decimals] + fraction
  if (digits > Number.MAX_SAFE_INTEGER) return readToken(bytes, start, at, column, index)
  column[index] = (isNegative ? -digits : digits) / POWERS_OF_TEN[decimals]
  return at
}

function scanExponent(bytes: Buffer, start: number, letter: number, column: Float64Array, index: number): number {
  const sign = bytes[letter + 1]
  const first = sign === PLUS || sign === MINUS ? letter + 2 : letter + 1
  let at = first
  while (bytes[at] >= ZERO && bytes[at] <= NINE) at++
  return at === first ? GIVE_UP : readToken(bytes, start, at, column, index)
}

function readToken(bytes: Buffer, start: number, end: number, column: Float64Array, index: number): number {
  const value = Number(bytes.toString('latin1', start, end))
  column[index] = value
  return Number.isFinite(value) ? end : GIVE_UP
}
