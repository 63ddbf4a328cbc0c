import type { Output } from './write-text.ts'

const ZERO = 0x30
const MINUS = 0x2d
const POINT = 0x2e

/** The longest a double gets in JavaScript's notation, such as `-0.0000012345678901234567`. */
export const MAX_NUMBER_BYTES = 25

/** Decimals tried: more than any sensor has, and so few that the digits after the point fit into 32 bits. */
const MAX_DECIMALS = 9

const POWERS_OF_TEN = Float64Array.from({ length: MAX_DECIMALS + 1 }, (_, exponent) => 10 ** exponent)

/** Numbers of at most 15 digits have one spelling only, so that the one found is also the shortest. */
const UNIQUE_BELOW = 1e15

/** Below this JavaScript writes an exponent. */
const PLAIN_FROM = 1e-6

/**
 * Writes a finite double as `String` does, except that -0 becomes `-0`, and gives the offset after it.
 * `hint` is a number of decimals that is likely enough to be tried first; it has no influence on the text.
 */
export function writeNumber({ bytes }: Output, start: number, value: number, hint: number): number {
  let at = start
  const size = Math.abs(value)
  if (size >= 2 ** 31 || size < PLAIN_FROM) return writeUnusual(bytes, at, value)
  const decimals = isDecimal(size, hint) ? hint : MAX_DECIMALS
  if (decimals === MAX_DECIMALS && !isDecimal(size, MAX_DECIMALS)) return writeUnusual(bytes, at, value)
  const whole = size | 0
  const fraction = Math.round(size * POWERS_OF_TEN[decimals]) - whole * POWERS_OF_TEN[decimals]
  if (value < 0) bytes[at++] = MINUS
  const end = writeWhole(bytes, at, whole)
  return fraction === 0 ? end : writeFraction(bytes, end, fraction | 0, decimals)
}

/** Whether `size` is the double nearest to a number with so many decimals, and no more than 15 digits. */
function isDecimal(size: number, decimals: number): boolean {
  const digits = Math.round(size * POWERS_OF_TEN[decimals])
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

/** Fills the bytes from `start` to `end` with the last digits of `value`. */
export function writeDigits(bytes: Buffer, start: number, end: number, value: number): void {
  let rest = value
  for (let at = end - 1; at >= start; at--) {
    const tenth = (rest / 10) | 0
    bytes[at] = ZERO + rest - tenth * 10
    rest = tenth
  }
}
