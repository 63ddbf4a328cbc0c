import { type Output, writeDigits } from './write-bytes.ts'
import { writeLongNumber } from './write-long-number.ts'

const MINUS = 0x2d
const POINT = 0x2e

/** Length of the longest double in JavaScript's notation, such as `-0.0000012345678901234567`. */
export const MAX_NUMBER_BYTES = 25

/** Decimals tried: more than any sensor has, and so few that the digits after the point fit into 32 bits. */
const MAX_DECIMALS = 9

const POWERS_OF_TEN = Float64Array.from({ length: MAX_DECIMALS + 1 }, (_, exponent) => 10 ** exponent)

/** Numbers of at most 15 digits have only one spelling, so the one found is also the shortest. */
const UNIQUE_BELOW = 1e15

/** Twice the relative error of two roundings. */
const ROUNDING = 2 ** -51

/** JavaScript writes smaller numbers with an exponent. */
const PLAIN_FROM = 1e-6

/**
 * Writes a finite double as `String` does, except that -0 becomes `-0`, and returns the offset after it. `hint` is the
 * number of decimals to try first; it does not affect the text.
 */
export function writeNumber({ bytes }: Output, start: number, value: number, hint: number): number {
  let at = start
  const size = Math.abs(value)
  const isPlain = (size >= PLAIN_FROM && size < 2 ** 31) || Object.is(value, 0)
  if (!isPlain) return writeUnusual(bytes, at, value)
  const decimals = isDecimal(size, hint) ? hint : MAX_DECIMALS
  if (decimals === MAX_DECIMALS && !isDecimal(size, MAX_DECIMALS)) {
    const end = writeLongNumber(bytes, at, value)
    return end === at ? writeUnusual(bytes, at, value) : end
  }
  const whole = size | 0
  const fraction = Math.floor(size * POWERS_OF_TEN[decimals] + 0.5) - whole * POWERS_OF_TEN[decimals]
  if (value < 0) bytes[at++] = MINUS
  const end = writeWhole(bytes, at, whole)
  return fraction === 0 ? end : writeFraction(bytes, end, fraction | 0, decimals)
}

/** True when `size` is the double nearest to a number with this many decimals and at most 15 digits. */
function isDecimal(size: number, decimals: number): boolean {
  const product = size * POWERS_OF_TEN[decimals]
  const digits = Math.floor(product + 0.5)
  // Most other numbers are further away than rounding explains, which saves the division.
  if (Math.abs(product - digits) > digits * ROUNDING) return false
  return digits < UNIQUE_BELOW && digits / POWERS_OF_TEN[decimals] === size
}

function writeUnusual(bytes: Buffer, at: number, value: number): number {
  const text = Object.is(value, -0) ? '-0' : String(value)
  return at + bytes.write(text, at, 'latin1')
}

/** Writes an integer from 0 to 2^31 - 1. */
function writeWhole(bytes: Buffer, start: number, whole: number): number {
  let end = start + 1
  for (let rest = (whole / 10) | 0; rest > 0; rest = (rest / 10) | 0) end++
  writeDigits(bytes, start, end, whole)
  return end
}

/** Writes the point and the decimals of a fraction that is not zero, without the zeros at its end. */
function writeFraction(bytes: Buffer, start: number, fraction: number, decimals: number): number {
  let digits = fraction
  let end = start + 1 + decimals
  for (let rest = (digits / 10) | 0; rest * 10 === digits; rest = (digits / 10) | 0) {
    digits = rest
    end--
  }
  bytes[start] = POINT
  writeDigits(bytes, start + 1, end, digits)
  return end
}
