import { formatDateTime } from '#platform/basics/time.ts'
import type { PointColumns } from '../point-columns.ts'
import { FIELDS } from '../point-fields.ts'
import { productRoundingError } from './scan-values.ts'

/** Length of the longest double in JavaScript's notation, such as `-0.0000012345678901234567`. */
const MAX_NUMBER_BYTES = 25
/** Length of `2026-11-21T10:00:00.000Z`. */
const TIMESTAMP_BYTES = 24

const MINUTE_MS = 60_000

/** Offsets of the seconds and the milliseconds. */
const SECONDS_AT = 17
const MILLISECONDS_AT = 20

/** The last minute written, as the two parts of its text; successive points mostly share it. */
const lastMinute = { startMs: 0, ...minuteTexts(0) }

/** Writes a time of the years 0 to 9999 as `formatDateTime` does, and returns the offset after it. */
function writeTimestamp(output: Output, at: number, timeMs: number): number {
  let inMinuteMs = timeMs - lastMinute.startMs
  if (!(inMinuteMs >= 0 && inMinuteMs < MINUTE_MS)) {
    const startMs = Math.floor(timeMs / MINUTE_MS) * MINUTE_MS
    Object.assign(lastMinute, { startMs }, minuteTexts(startMs))
    inMinuteMs = timeMs - startMs
  }
  copyText(output, copyText(output, at, lastMinute.front), lastMinute.back)
  const second = (inMinuteMs / 1000) | 0
  writeDigits(output.bytes, at + SECONDS_AT, at + SECONDS_AT + 2, second)
  writeDigits(output.bytes, at + MILLISECONDS_AT, at + MILLISECONDS_AT + 3, (inMinuteMs | 0) - second * 1000)
  return at + TIMESTAMP_BYTES
}

function minuteTexts(startMs: number) {
  const text = formatDateTime(startMs)
  return { front: outputText(text.slice(0, 12)), back: outputText(text.slice(12)) }
}

const COMMA = 0x2c
const QUOTE = 0x22
const RIGHT_BRACE = 0x7d

/** The listed fields: the numbers and the time, in the order of the table; `origin` is stored and not listed. */
const LISTED = FIELDS.filter(({ kind }) => kind !== 'choice')
const TIME_PLACE = LISTED.findIndex(({ kind }) => kind === 'time')
const NUMBERS = LISTED.filter((field) => field.kind === 'number')

/** The text before each value, with the comma or brace before the key. The first field is in every point. */
const KEYS = LISTED.map(({ key, kind }, place) =>
  outputText(`${place === 0 ? '{' : ','}"${key}":${kind === 'time' ? '"' : ''}`),
)
const TIME_KEY = KEYS[TIME_PLACE]
const NUMBER_KEYS = KEYS.toSpliced(TIME_PLACE, 1)
const NUMBER_DECIMALS = NUMBERS.map(({ decimals }) => decimals)

/** The longest a point gets: its keys, its numbers, a timestamp, and the comma, quote and brace around them. */
const MAX_POINT_BYTES =
  KEYS.reduce((sum, { length }) => sum + length, 3) + NUMBERS.length * MAX_NUMBER_BYTES + TIMESTAMP_BYTES

/** Points are written into this block and copied out when it is full: at least 3,000 points, mostly 6,000. */
const BLOCK_BYTES = 1_048_576
const bytes = Buffer.alloc(BLOCK_BYTES)
const block: Output = { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length) }

/**
 * Writes the points from `start` up to but not including `end` as elements of a JSON array, with commas between them
 * and, if `isFirst` is false, before the first one. Every number is written so that reading it returns the same double.
 * The text takes up to 0.3 KB per point; long lists are written a few thousand points at a time.
 */
export function writePointsJson(points: PointColumns, start: number, end: number, isFirst: boolean): Buffer {
  const columns = NUMBERS.map(({ column }) => points[column])
  const texts: Buffer[] = []
  let at = 0
  for (let index = start; index < end; index++) {
    if (at > BLOCK_BYTES - MAX_POINT_BYTES) {
      texts.push(Buffer.from(bytes.subarray(0, at)))
      at = 0
    }
    if (!isFirst || index > start) bytes[at++] = COMMA
    at = writePoint(points.timeMs, columns, index, at)
  }
  const last = Buffer.from(bytes.subarray(0, at))
  return texts.length === 0 ? last : Buffer.concat([...texts, last])
}

function writePoint(timeMs: Float64Array, columns: readonly Float64Array[], index: number, start: number): number {
  let at = writeNumbers(columns, index, start, 0, TIME_PLACE)
  at = writeTimestamp(block, copyText(block, at, TIME_KEY), timeMs[index])
  bytes[at++] = QUOTE
  at = writeNumbers(columns, index, at, TIME_PLACE, columns.length)
  bytes[at] = RIGHT_BRACE
  return at + 1
}

/** Writes the numbers of a point from place `from` up to but not including `to`, without absent ones. */
function writeNumbers(
  columns: readonly Float64Array[],
  index: number,
  start: number,
  from: number,
  to: number,
): number {
  let at = start
  for (let place = from; place < to; place++) {
    const value = columns[place][index]
    if (Number.isNaN(value)) continue
    at = writeNumber(block, copyText(block, at, NUMBER_KEYS[place]), value, NUMBER_DECIMALS[place])
  }
  return at
}

const MINUS = 0x2d
const POINT = 0x2e

/** Decimals tried: more than any sensor has, and so few that the digits after the point fit into 32 bits. */
const MAX_DECIMALS = 9

/** Powers of ten that a double holds exactly; the last are for numbers that begin with zeros after the point. */
const POWERS_OF_TEN = Float64Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`))

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

const ZERO = 0x30

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
function writeLongNumber(bytes: Buffer, start: number, value: number): number {
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

/** Bytes to write into, and the same memory as words. */
type Output = { readonly bytes: Buffer; readonly view: DataView }

/** A text of 8 to 16 ASCII characters as two doubles of eight bytes each, which overlap in the shorter ones. */
type OutputText = { readonly length: number; readonly head: number; readonly tail: number }

/** Prepares a text for `copyText`. Throws RangeError unless it has 8 to 16 characters. */
function outputText(text: string): OutputText {
  const bytes = Buffer.from(text, 'latin1')
  if (bytes.length < 8 || bytes.length > 16) throw new RangeError(`Not a text of 8 to 16 characters: ${text}`)
  return { length: bytes.length, head: bytes.readDoubleLE(0), tail: bytes.readDoubleLE(bytes.length - 8) }
}

/** Writes the text at `at` and returns the offset after it: two stores instead of one per character. */
function copyText({ view }: Output, at: number, { length, head, tail }: OutputText): number {
  view.setFloat64(at, head, true)
  view.setFloat64(at + length - 8, tail, true)
  return at + length
}

/**
 * Fills the bytes from `start` to `end` with the last digits of an integer below 2^31; fastest for a small integer of
 * V8.
 */
function writeDigits(bytes: Buffer, start: number, end: number, value: number): void {
  let rest = value
  for (let at = end - 1; at >= start; at--) {
    const tenth = (rest / 10) | 0
    bytes[at] = ZERO + rest - tenth * 10
    rest = tenth
  }
}
