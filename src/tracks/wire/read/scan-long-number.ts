import { productRoundingError } from '../product-rounding-error.ts'
import { isLetterE, MINUS, scanNumberText, ZERO } from './scan-number-text.ts'

/** Digits that a double holds exactly, and digits that fit into a 32-bit integer. */
const MAX_DECIMALS = 16
const FRONT_DECIMALS = 8

const POWERS_OF_TEN = Float64Array.from({ length: MAX_DECIMALS + 1 }, (_, exponent) => 10 ** exponent)

/** Many times the relative error of the correction below, which is a few units of 2^-53. */
const DOUBT = 2 ** -46

/**
 * Reads the number from `start` to `end`, which an exponent may follow. Its part before the point is `whole`, of at
 * most 9 digits, and it has more than 8 decimals. Doubles of a sensor are printed with 16 or 17 digits, for which
 * `Number` takes several times as long.
 */
export function scanLongNumber(
  bytes: Buffer,
  start: number,
  whole: number,
  end: number,
  decimals: number,
  column: Float64Array,
  index: number,
): number {
  if (decimals > MAX_DECIMALS || isLetterE(bytes[end])) return scanNumberText(bytes, start, column, index)
  const firstDecimal = end - decimals
  const front = digitsBetween(bytes, firstDecimal, firstDecimal + FRONT_DECIMALS)
  const back = digitsBetween(bytes, firstDecimal + FRONT_DECIMALS, end)
  const fraction = front * POWERS_OF_TEN[decimals - FRONT_DECIMALS] + back
  const size =
    fraction > Number.MAX_SAFE_INTEGER ? Number.NaN : nearestQuotient(whole, fraction, POWERS_OF_TEN[decimals])
  if (Number.isNaN(size)) return scanNumberText(bytes, start, column, index)
  column[index] = bytes[start] === MINUS ? -size : size
  return end
}

function digitsBetween(bytes: Buffer, start: number, end: number): number {
  let digits = 0
  for (let at = start; at < end; at++) digits = (Math.imul(digits, 10) + bytes[at] - ZERO) | 0
  return digits
}

/**
 * Returns the double nearest to `whole` + `fraction` / `scale`, or NaN when this method cannot be certain of it.
 * `fraction` is an integer that a double holds exactly, `scale` a power of ten that it holds exactly, and `whole` has
 * at most 9 digits.
 *
 * The sum of two doubles holds all digits without rounding (Dekker, "A floating-point technique for extending the
 * available precision", 1971). It is divided by `scale`, and the rounded quotient is corrected by what its exact
 * remainder adds; the result is in doubt only if that is very near the middle of two doubles.
 */
function nearestQuotient(whole: number, fraction: number, scale: number): number {
  const product = whole * scale
  const low = productRoundingError(whole, scale, product) + fraction
  const high = product + low
  const rest = low - (high - product)

  const quotient = high / scale
  const back = quotient * scale
  const correction = (high - back - productRoundingError(quotient, scale, back) + rest) / scale
  const nearest = quotient + correction
  const isCertain = nearest === quotient + correction * (1 - DOUBT) && nearest === quotient + correction * (1 + DOUBT)
  return isCertain ? nearest : Number.NaN
}
