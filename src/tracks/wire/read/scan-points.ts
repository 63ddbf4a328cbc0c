import type { PointColumns } from '../../points/point-columns.ts'
import { areInRange, makeScanColumns, type ScanColumns, takeColumns } from './scan-columns.ts'
import { MAX_MEMBERS, scanPoint } from './scan-point.ts'
import { COMMA, GIVE_UP, LEFT_BRACKET, RIGHT_BRACKET, type ScanInput, skipSpace } from './scan-text.ts'

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
export function scanPoints(input: ScanInput, start: number, maxPoints: number): ScannedPoints | undefined {
  const { bytes } = input
  if (bytes[start] !== LEFT_BRACKET) return undefined
  let at = skipSpace(bytes, start + 1)
  if (bytes[at] === RIGHT_BRACKET) return takePoints(0, at + 1)
  const limit = Math.min(maxPoints, MAX_SCANNED_POINTS)
  for (let count = 1; count <= limit; count++) {
    at = scanPoint(input, at, columnsFor(count), count - 1)
    if (at === GIVE_UP) return undefined
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
