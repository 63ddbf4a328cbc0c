import { isUtf8 } from 'node:buffer'
import { parseJson } from '#platform/http/parse-json.ts'
import { allocateColumns, type PointColumns } from '../point-columns.ts'
import { FIELDS } from '../point-fields.ts'
import {
  COMMA,
  fieldAt,
  isSpace,
  isWordAt,
  LEFT_BRACE,
  LEFT_BRACKET,
  makeScanField,
  QUOTE,
  RIGHT_BRACE,
  RIGHT_BRACKET,
  type ScanField,
  type ScanInput,
  scanInput,
  skipAnyLiteral,
  skipAnyString,
  skipColon,
  skipNull,
  skipPlainString,
  skipSpace,
  UNSCANNABLE,
} from './scan-text.ts'
import { scanNumber, scanTimestamp } from './scan-values.ts'

/** The body of a request with points: the points checked, the other values only parsed. */
export type PointBatch = { track: unknown; points: PointColumns; stats: unknown }

type Found = { track?: unknown; points?: PointColumns; stats?: unknown }

/** The other values are small; a larger or deeper one takes the slow path, which enforces the limits of a body. */
const MAX_OBJECT_BYTES = 65_536
const MAX_OBJECT_DEPTH = 8
const SCAN_BODY_MAX_MEMBERS = 16

/**
 * Reads `{ "track": {…}, "points": […], "stats": {…} }`, of which all but the points may be missing, by scanning its
 * bytes. Returns undefined unless all of it is valid and in ordinary spelling. `parseBody` accepts everything that this
 * function accepts, with the same result.
 */
export function scanBody(body: Buffer, maxPoints: number): PointBatch | undefined {
  const bytes = body[body.length - 1] === RIGHT_BRACE ? body : body.subarray(0, body.lastIndexOf(RIGHT_BRACE) + 1)
  if (!isUtf8(bytes) || !isSpaceOnly(body, bytes.length)) return undefined
  const found: Found = {}
  if (scanMembers(scanInput(bytes), maxPoints, found) !== bytes.length || found.points === undefined) return undefined
  return { track: found.track, points: found.points, stats: found.stats }
}

function isSpaceOnly(body: Buffer, start: number): boolean {
  for (let at = start; at < body.length; at++) if (!isSpace(body[at])) return false
  return true
}

/** Reads the object of the body into `found`, and returns the offset after it. */
function scanMembers(input: ScanInput, maxPoints: number, found: Found): number {
  const { bytes } = input
  let at = skipSpace(bytes, 0)
  if (bytes[at] !== LEFT_BRACE) return UNSCANNABLE
  for (let members = 0; members < SCAN_BODY_MAX_MEMBERS; members++) {
    at = scanMember(input, skipSpace(bytes, at + 1), maxPoints, found)
    if (at === UNSCANNABLE) return UNSCANNABLE
    at = skipSpace(bytes, at)
    if (bytes[at] === RIGHT_BRACE) return at + 1
    if (bytes[at] !== COMMA) return UNSCANNABLE
  }
  return UNSCANNABLE
}

function scanMember(input: ScanInput, start: number, maxPoints: number, found: Found): number {
  const { bytes } = input
  const keyEnd = bytes[start] === QUOTE ? skipPlainString(bytes, start) : UNSCANNABLE
  const at = keyEnd === UNSCANNABLE ? UNSCANNABLE : skipColon(bytes, keyEnd)
  if (at === UNSCANNABLE) return UNSCANNABLE
  const key = bytes.toString('latin1', start + 1, keyEnd - 1)
  if (key !== 'points' && key !== 'track' && key !== 'stats') return skipPlainMember(bytes, start)
  if (key in found) return UNSCANNABLE
  if (key !== 'points') return scanObjectOrNull(bytes, at, key, found)
  const scanned = scanPoints(input, at, maxPoints)
  found.points = scanned?.points
  return scanned?.end ?? UNSCANNABLE
}

/** Parses the object or null at `start` separately. */
function scanObjectOrNull(bytes: Buffer, start: number, key: 'track' | 'stats', found: Found): number {
  const end = bytes[start] === LEFT_BRACE ? findObjectEnd(bytes, start) : skipNull(bytes, start)
  if (end === UNSCANNABLE) return UNSCANNABLE
  try {
    found[key] = parseJson(bytes.subarray(start, end))
    return end
  } catch {
    // The slow path reports the error and its place in the body.
    return UNSCANNABLE
  }
}

/** Returns the offset after the bracket that closes the one at `start`, over any content. */
function findObjectEnd(bytes: Buffer, start: number): number {
  const limit = Math.min(bytes.length, start + MAX_OBJECT_BYTES)
  let depth = 0
  for (let at = start; at < limit; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) at = skipAnyString(bytes, at) - 1
    else if (byte === LEFT_BRACE || byte === LEFT_BRACKET) depth++
    else if (byte === RIGHT_BRACE || byte === RIGHT_BRACKET) depth--
    if (depth > MAX_OBJECT_DEPTH) return UNSCANNABLE
    if (depth === 0) return at + 1
  }
  return UNSCANNABLE
}

/** Maximum number of members of a point, including unknown ones; beyond it the slow path counts the body's values. */
const MAX_MEMBERS = 24

/**
 * Reads the point whose opening brace is at `start` into the columns at `index` and returns the offset after it, or
 * UNSCANNABLE if anything in it is invalid, repeated or in an unusual spelling. Does not check the bounds of numbers.
 */
function scanPoint(input: ScanInput, start: number, columns: ScanColumns, index: number): number {
  const { bytes } = input
  const { fields, optional, requiredBits } = columns
  if (bytes[start] !== LEFT_BRACE) return UNSCANNABLE
  for (let place = 0; place < optional.length; place++) optional[place].column[index] = Number.NaN
  let present = 0
  let previous = columns.start
  let at = skipSpace(bytes, start + 1)
  for (let members = 0; members < MAX_MEMBERS; members++) {
    const field = fieldAt(input, at, previous, fields)
    if (field === undefined) {
      at = skipPlainMember(bytes, at)
    } else {
      // The last of repeated keys counts; the slow path handles that.
      if ((present & field.bit) !== 0) return UNSCANNABLE
      present |= field.bit
      at = scanValue(input, at + field.key.length, field, index)
      previous = field
    }
    if (at === UNSCANNABLE) return UNSCANNABLE
    at = skipSpace(bytes, at)
    const byte = bytes[at]
    if (byte === RIGHT_BRACE) return (present & requiredBits) === requiredBits ? at + 1 : UNSCANNABLE
    if (byte !== COMMA) return UNSCANNABLE
    at = skipSpace(bytes, at + 1)
  }
  return UNSCANNABLE
}

/** Reads the colon and the value after a field's key. */
function scanValue(input: ScanInput, keyEnd: number, field: ScanField, index: number): number {
  const at = skipColon(input.bytes, keyEnd)
  if (at === UNSCANNABLE) return UNSCANNABLE
  const end = scanKind(input, at, field, index)
  return end === UNSCANNABLE && !field.isRequired ? skipNull(input.bytes, at) : end
}

function scanKind(input: ScanInput, at: number, field: ScanField, index: number): number {
  if (field.kind === 'number') return scanNumber(input.bytes, at, field.column, index)
  if (field.kind === 'time') return scanTimestamp(input.bytes, at, field.column, index)
  return scanChoice(input, at, field, index)
}

function scanChoice(input: ScanInput, at: number, { choices, column }: ScanField, index: number): number {
  for (let place = 0; place < choices.length; place++) {
    if (isWordAt(input, at, choices[place])) {
      column[index] = place + 1
      return at + choices[place].length
    }
  }
  return UNSCANNABLE
}

const unused = new Float64Array(1)

/** Skips the key whose opening quote is at `start` and its value, if that is a string, a number or a literal. */
function skipPlainMember(bytes: Buffer, start: number): number {
  const keyEnd = bytes[start] === QUOTE ? skipPlainString(bytes, start) : UNSCANNABLE
  const at = keyEnd === UNSCANNABLE ? UNSCANNABLE : skipColon(bytes, keyEnd)
  return at === UNSCANNABLE ? UNSCANNABLE : skipPlainScalar(bytes, at)
}

function skipPlainScalar(bytes: Buffer, start: number): number {
  if (bytes[start] === QUOTE) return skipPlainString(bytes, start)
  const isLetter = bytes[start] >= 0x61
  return isLetter ? skipAnyLiteral(bytes, start) : scanNumber(bytes, start, unused, 0)
}

/** Columns to scan into: reused for every body, with room for more points than most have. */
type ScanColumns = {
  readonly capacity: number
  readonly fields: readonly ScanField[]
  /** Precedes a point's first field and leads to it. */
  readonly start: ScanField
  readonly optional: readonly ScanField[]
  /** The bits of the fields that every point must have. */
  readonly requiredBits: number
}

/** Returns columns with room for `capacity` points, which begin with the points in `from`. */
function makeScanColumns(capacity: number, from?: ScanColumns): ScanColumns {
  const fields = FIELDS.map((field, place) => makeScanField(field, place, capacity))
  if (from !== undefined) for (const [place, field] of fields.entries()) field.column.set(from.fields[place].column)
  return {
    capacity,
    fields,
    start: { ...fields[0] },
    optional: fields.filter((field) => !field.isRequired),
    requiredBits: fields.reduce((bits, field) => (field.isRequired ? bits | field.bit : bits), 0),
  }
}

/** True when all numbers of the first `count` points are within the bounds of their fields. */
function areInRange({ fields }: ScanColumns, count: number): boolean {
  return fields.every(
    ({ column, min, max }) => (min === -Infinity && max === Infinity) || isColumnInRange(column, count, min, max),
  )
}

function isColumnInRange(column: Float64Array, count: number, min: number, max: number): boolean {
  for (let index = 0; index < count; index++) {
    // An absent value is NaN, for which both comparisons are false.
    if (column[index] < min || column[index] > max) return false
  }
  return true
}

/** Up to this number of points, copying one value after the other is faster than a view to copy at once. */
const MAX_COPIED_SINGLY = 64

/** Returns the first `count` points, copied into columns of their own. */
function takeColumns({ fields }: ScanColumns, count: number): PointColumns {
  const points = allocateColumns(count)
  for (const { name, column } of fields) {
    const taken = points[name]
    if (count > MAX_COPIED_SINGLY) taken.set(column.subarray(0, count))
    else for (let i = 0; i < count; i++) taken[i] = column[i]
  }
  return points
}

/** Maximum number of values in a body with points. 50,000 points with every field have half a million. */
export const MAX_BODY_VALUES = 2_000_000

/** Up to this number, the points alone take at most three quarters of the values that a body may have. */
const MAX_SCANNED_POINTS = Math.floor((0.75 * MAX_BODY_VALUES) / (1 + MAX_MEMBERS))

const FIRST_CAPACITY = 1024

/**
 * Points are scanned into these and copied out, since their number is known only afterwards; nothing runs in between.
 */
let columns = makeScanColumns(FIRST_CAPACITY)

/** The scanned points, and the offset after the array. */
type ScannedPoints = { points: PointColumns; end: number }

/**
 * Reads the array of points at `start` from the bytes of valid UTF-8 directly into columns, which is faster than by way
 * of objects. Returns undefined for anything but an array of at most `maxPoints` valid points in ordinary spelling;
 * `parseBody` then decides whether the body is valid.
 */
function scanPoints(input: ScanInput, start: number, maxPoints: number): ScannedPoints | undefined {
  const { bytes } = input
  if (bytes[start] !== LEFT_BRACKET) return undefined
  let at = skipSpace(bytes, start + 1)
  if (bytes[at] === RIGHT_BRACKET) return takePoints(0, at + 1)
  const limit = Math.min(maxPoints, MAX_SCANNED_POINTS)
  for (let count = 1; count <= limit; count++) {
    at = scanPoint(input, at, columnsFor(count), count - 1)
    if (at === UNSCANNABLE) return undefined
    at = skipSpace(bytes, at)
    if (bytes[at] === RIGHT_BRACKET) return takePoints(count, at + 1)
    if (bytes[at] !== COMMA) return undefined
    at = skipSpace(bytes, at + 1)
  }
  return undefined
}

function takePoints(count: number, end: number): ScannedPoints | undefined {
  return areInRange(columns, count) ? { points: takeColumns(columns, count), end } : undefined
}

/** Returns the columns, grown so that `count` points fit: to at most 4 MB, since the number of points has a limit. */
function columnsFor(count: number): ScanColumns {
  if (count > columns.capacity) columns = makeScanColumns(columns.capacity * 2, columns)
  return columns
}
