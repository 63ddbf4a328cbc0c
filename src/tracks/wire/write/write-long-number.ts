import { productRoundingError } from '../product-rounding-error.ts'
import { writeDigits } from './write-bytes.ts'

const MINUS = 0x2d
const POINT = 0x2e
const ZERO = 0x30

/** Powers of ten that a double holds exactly; the last are for numbers that begin with zeros after the point. */
const POWERS_OF_TEN = Float64Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`))

/** The smallest size that is written here: with 17 digits it has 21 decimals. */
const MIN_SIZE = 1e-5

/** A hundred times the error of the distances compared below: numbers up to 10^8 are known to 2^-27. */
const DOUBT = 2 ** -20

/** All numbers are first written with 17 digits, in two parts because they are too many for 32 bits. */
const DIGITS = 17
const LOW_DIGITS = 8
const LOW_UNIT = 1e8
const HIGH_LIMIT = 1e9

const words = new DataView(new ArrayBuffer(8))

/**
 * Writes a double below 2^31 that has more than 15 digits or 9 decimals as `String` does, in a fraction of its time,
 * and returns the offset after it. Returns `start` when this method cannot be certain of the text.
 *
 * The double times a power of ten has 17 digits before its point, and is held without rounding in the sum of two
 * doubles (Dekker, 1971). The shortest text has 15, 16 or 17 of them: the first, rounded, that is nearer to the double
 * than half the gap to the next one (Steele and White, "How to print floating-point numbers accurately", 1990).
 */
export function writeLongNumber(bytes: Buffer, start: number, value: number): number {
  const size = Math.abs(value)
  const halfGap = halfGapAround(size)
  if (size < MIN_SIZE || halfGap === 0) return start
  const wholeDigits = countWholeDigits(size)
  const scale = POWERS_OF_TEN[DIGITS - wholeDigits]
  const product = size * scale
  const front = Math.floor(product / LOW_UNIT)
  const rest = product - front * LOW_UNIT + productRoundingError(size, scale, product)
  const carry = Math.floor(rest / LOW_UNIT)
  const low = roundShortest(rest - carry * LOW_UNIT, halfGap * scale)
  const high = front + carry + (low === LOW_UNIT ? 1 : 0)
  // Another number of digits than expected: the size was too near to a power of ten. NaN means doubt.
  if (Number.isNaN(low) || high < HIGH_LIMIT / 10 || high >= HIGH_LIMIT) return start
  return writeFound(bytes, start, value < 0, wholeDigits, high | 0, low === LOW_UNIT ? 0 : low | 0)
}

/** Returns half the distance to the neighbouring doubles; 0 for a power of two, whose lower neighbour is nearer. */
function halfGapAround(size: number): number {
  words.setFloat64(0, size)
  const head = words.getInt32(0)
  if ((head & 0xfffff) === 0 && words.getInt32(4) === 0) return 0
  words.setFloat64(0, 0)
  words.setInt32(0, ((head >> 20) - 53) << 20)
  return words.getFloat64(0)
}

/** Returns the number of digits before the point; 0 or less counts the zeros after it. */
function countWholeDigits(size: number): number {
  let digits = 1
  while (size >= POWERS_OF_TEN[digits]) digits++
  while (size * POWERS_OF_TEN[1 - digits] < 1) digits--
  return digits
}

/**
 * Rounds to hundreds, to tens or to ones, whichever is the first within `room` (less than 12) of the number. Returns
 * NaN when two results are equally near, or one is only just within or beyond the room.
 */
function roundShortest(value: number, room: number): number {
  const hundreds = Math.floor(value * 0.01 + 0.5) * 100
  const fromHundreds = Math.abs(value - hundreds)
  const tens = Math.floor(value * 0.1 + 0.5) * 10
  const fromTens = Math.abs(value - tens)
  const ones = Math.floor(value + 0.5)
  const fromOnes = Math.abs(value - ones)
  if (Math.abs(fromHundreds - room) < DOUBT || Math.abs(fromTens - room) < DOUBT) return Number.NaN
  if (fromHundreds < room) return hundreds
  if (fromTens < room) return fromTens > 5 - DOUBT ? Number.NaN : tens
  return fromOnes > 0.5 - DOUBT ? Number.NaN : ones
}

function writeFound(
  bytes: Buffer,
  start: number,
  isNegative: boolean,
  wholeDigits: number,
  high: number,
  low: number,
): number {
  const firstPlace = isNegative ? start + 1 : start
  if (isNegative) bytes[start] = MINUS
  const point = firstPlace + Math.max(1, wholeDigits)
  // Digits before the point are written one place to the right and moved; before the others there may be zeros.
  const first = wholeDigits > 0 ? firstPlace + 1 : point + 1 - wholeDigits
  let end = first + DIGITS
  writeDigits(bytes, first, end - LOW_DIGITS, high)
  writeDigits(bytes, end - LOW_DIGITS, end, low)
  if (wholeDigits > 0) for (let at = firstPlace; at < point; at++) bytes[at] = bytes[at + 1]
  else for (let at = firstPlace; at < first; at++) bytes[at] = ZERO
  bytes[point] = POINT
  while (bytes[end - 1] === ZERO) end--
  return bytes[end - 1] === POINT ? end - 1 : end
}
