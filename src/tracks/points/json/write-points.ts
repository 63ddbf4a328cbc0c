import { formatDateTime } from '#platform/basics/time.ts'
import type { PointColumns } from '../point-columns.ts'
import { FIELDS } from '../point-fields.ts'
import { copyText, MAX_NUMBER_BYTES, type Output, outputText, writeDigits, writeNumber } from './write-number.ts'

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
