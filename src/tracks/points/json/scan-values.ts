import { isWritableTime, startOfDayMs, timeOfDayMs } from '#platform/basics/time.ts'
import { QUOTE, UNSCANNABLE } from './scan-text.ts'

/** Digits that fit into a 32-bit integer, which makes the fastest loops. */
const MAX_DIGITS = 9

/** Digits that a double holds exactly. */
const MAX_DECIMALS = 16

/** Powers of ten, which a double holds exactly. */
const POWERS_OF_TEN = Float64Array.from({ length: MAX_DECIMALS + 1 }, (_, exponent) => 10 ** exponent)

/**
 * Reads the JSON number at `start` into `column[index]` and returns the offset after it, or UNSCANNABLE for anything
 * that is not a JSON number or does not fit a double. Digits that make up an integer below 2^53 are divided by a power
 * of ten that is exact as well, so that the one rounding of the division gives the nearest double (Clinger, "How to
 * read floating point numbers accurately", 1990).
 */
export function scanNumber(bytes: Buffer, start: number, column: Float64Array, index: number): number {
  const isNegative = bytes[start] === MINUS
  const first = isNegative ? start + 1 : start
  let at = first
  let whole = 0
  while (isDigit(bytes[at])) whole = (Math.imul(whole, 10) + bytes[at++] - ZERO) | 0
  if (at === first || (bytes[first] === ZERO && at > first + 1)) return UNSCANNABLE
  if (at > first + MAX_DIGITS) return scanNumberText(bytes, start, column, index)
  let fraction = 0
  let decimals = 0
  if (bytes[at] === POINT) {
    const firstDecimal = ++at
    while (isDigit(bytes[at])) fraction = (Math.imul(fraction, 10) + bytes[at++] - ZERO) | 0
    decimals = at - firstDecimal
    if (decimals === 0) return UNSCANNABLE
    if (decimals > MAX_DIGITS) return scanLongNumber(bytes, start, whole, at, decimals, column, index)
  }
  const digits = whole * POWERS_OF_TEN[decimals] + fraction
  if (digits > Number.MAX_SAFE_INTEGER || isLetterE(bytes[at])) return scanNumberText(bytes, start, column, index)
  column[index] = (isNegative ? -digits : digits) / POWERS_OF_TEN[decimals]
  return at
}

const MINUS = 0x2d
const PLUS = 0x2b
const POINT = 0x2e
const ZERO = 0x30
const NINE = 0x39
const LETTER_E = 0x65
const LOWER_CASE = 0x20

/** True for `0` to `9`. */
function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE
}

/** True for the first byte of an exponent. */
function isLetterE(byte: number): boolean {
  return (byte | LOWER_CASE) === LETTER_E
}

/**
 * Reads the number at `start` with `Number`, which accepts any length and exponent. The whole part is known to be valid
 * JSON.
 */
function scanNumberText(bytes: Buffer, start: number, column: Float64Array, index: number): number {
  let end = skipDigits(bytes, bytes[start] === MINUS ? start + 1 : start)
  if (bytes[end] === POINT) {
    const firstDecimal = end + 1
    end = skipDigits(bytes, firstDecimal)
    if (end === firstDecimal) return UNSCANNABLE
  }
  if (isLetterE(bytes[end])) {
    const sign = bytes[end + 1]
    const firstDigit = sign === PLUS || sign === MINUS ? end + 2 : end + 1
    end = skipDigits(bytes, firstDigit)
    if (end === firstDigit) return UNSCANNABLE
  }
  const value = Number(bytes.toString('latin1', start, end))
  column[index] = value
  return Number.isFinite(value) ? end : UNSCANNABLE
}

function skipDigits(bytes: Buffer, start: number): number {
  let at = start
  while (isDigit(bytes[at])) at++
  return at
}

/** The first decimals of a long number, which fit into a 32-bit integer, as the others do. */
const FRONT_DECIMALS = 8

/** Many times the relative error of the correction below, which is a few units of 2^-53. */
const DOUBT = 2 ** -46

/**
 * Reads the number from `start` to `end`, which an exponent may follow. Its part before the point is `whole`, of at
 * most 9 digits, and it has more than 8 decimals. Doubles of a sensor are printed with 16 or 17 digits, for which
 * `Number` takes several times as long.
 */
function scanLongNumber(
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

const DASH = 0x2d
const COLON = 0x3a
const LETTER_T = 0x74
const LETTER_Z = 0x7a

/** Length of `2026-11-21T10:00:00`, which every date-time begins with. */
const SECONDS_LENGTH = 19

/** The last date read, as year, month and day in one number, and its start: points of one batch share it. */
const lastDate = { yearMonthDay: 19_700_101, startMs: 0 }

/**
 * Reads the date-time in the string whose opening quote is at `start` into `column[index]`, by the rules of
 * `parseDateTime`, and returns the offset after the closing quote; UNSCANNABLE for anything else.
 */
export function scanTimestamp(bytes: Buffer, start: number, column: Float64Array, index: number): number {
  const first = start + 1
  if (bytes[start] !== QUOTE || first + SECONDS_LENGTH >= bytes.length) return UNSCANNABLE
  if (bytes[first + 4] !== DASH || bytes[first + 7] !== DASH) return UNSCANNABLE
  if ((bytes[first + 10] | LOWER_CASE) !== LETTER_T) return UNSCANNABLE
  if (bytes[first + 13] !== COLON || bytes[first + 16] !== COLON) return UNSCANNABLE
  const dateMs = scanDate(bytes, first)
  const clockMs = scanClock(bytes, first + 11)
  if (dateMs === undefined || clockMs === undefined) return UNSCANNABLE
  column[index] = dateMs + clockMs
  const fractionEnd = scanFraction(bytes, first + SECONDS_LENGTH, column, index)
  const end = fractionEnd === UNSCANNABLE ? UNSCANNABLE : scanOffset(bytes, fractionEnd, column, index)
  return end !== UNSCANNABLE && bytes[end] === QUOTE && isWritableTime(column[index]) ? end + 1 : UNSCANNABLE
}

/** Returns the two digits at `at`, or a number so far below zero that every sum with it stays below zero. */
function twoDigits(bytes: Buffer, at: number): number {
  const tens = bytes[at] - 0x30
  const ones = bytes[at + 1] - 0x30
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : -1_000_000_000
}

function scanDate(bytes: Buffer, at: number): number | undefined {
  const year = twoDigits(bytes, at) * 100 + twoDigits(bytes, at + 2)
  const month = twoDigits(bytes, at + 5)
  const day = twoDigits(bytes, at + 8)
  const yearMonthDay = (year * 100 + month) * 100 + day
  if (yearMonthDay === lastDate.yearMonthDay) return lastDate.startMs
  const startMs = year < 0 ? undefined : startOfDayMs(year, month, day)
  if (startMs !== undefined) {
    lastDate.yearMonthDay = yearMonthDay
    lastDate.startMs = startMs
  }
  return startMs
}

function scanClock(bytes: Buffer, at: number): number | undefined {
  const hour = twoDigits(bytes, at)
  const minute = twoDigits(bytes, at + 3)
  const second = twoDigits(bytes, at + 6)
  return hour < 0 || minute < 0 || second < 0 ? undefined : timeOfDayMs(hour, minute, second)
}

/** Adds the milliseconds of a fraction, if there is one, and skips its further digits. */
function scanFraction(bytes: Buffer, start: number, column: Float64Array, index: number): number {
  if (bytes[start] !== POINT) return start
  let at = start + 1
  let placeMs = 100
  let fractionMs = 0
  while (bytes[at] >= 0x30 && bytes[at] <= 0x39) {
    if (placeMs >= 1) fractionMs += (bytes[at] - 0x30) * placeMs
    placeMs /= 10
    at++
  }
  column[index] += fractionMs
  return at === start + 1 ? UNSCANNABLE : at
}

function scanOffset(bytes: Buffer, at: number, column: Float64Array, index: number): number {
  const sign = bytes[at]
  if (sign === QUOTE) return at
  if ((sign | LOWER_CASE) === LETTER_Z) return at + 1
  if ((sign !== PLUS && sign !== DASH) || bytes[at + 3] !== COLON) return UNSCANNABLE
  const hour = twoDigits(bytes, at + 1)
  const minute = twoDigits(bytes, at + 4)
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59) return UNSCANNABLE
  const eastMs = (hour * 60 + minute) * 60_000
  column[index] -= sign === PLUS ? eastMs : -eastMs
  return at + 6
}

/** Halves a double's 53 bits, so that the halves' products are exact (Veltkamp; 2^27 + 1). */
const SPLITTER = 134_217_729

/**
 * Returns the rounding error of `product`, the double nearest to `a` times `b`: the exact product less `product`
 * (Dekker, 1971). Exact unless a factor is near the largest double.
 */
export function productRoundingError(a: number, b: number, product: number): number {
  const aScaled = SPLITTER * a
  const aHigh = aScaled - (aScaled - a)
  const aLow = a - aHigh
  const bScaled = SPLITTER * b
  const bHigh = bScaled - (bScaled - b)
  const bLow = b - bHigh
  return aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow)
}
