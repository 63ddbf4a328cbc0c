import { type FieldError, MAX_FIELD_ERRORS } from '#platform/basics/errors.ts'
import { parseDateTime } from '#platform/basics/time.ts'
import { isObject } from '#platform/http/parse-json.ts'
import { emptyColumns, type PointColumns, pickPoints } from './point-columns.ts'
import { CHOICE_FIELDS, type ChoiceField, NUMBER_FIELDS, type NumberField, POINT_FIELDS } from './point-fields.ts'

/** The first errors of a request, and their total number. */
export type FoundErrors = { listed: FieldError[]; count: number }

/** Handling of points that break a rule (RFC 7240, 4.4): strict refuses the request, lenient leaves them out. */
export type Handling = 'strict' | 'lenient'

/**
 * Receives each error of a point: its place in the request, the field, empty for the point itself, and the requirement.
 */
type OnPointError = (index: number, field: string, message: string) => void

/**
 * Writes the point at `index` of a request into `columns`, and passes its errors to `onError`. At `index`, `columns`
 * must be as `emptyColumns` made it. Unknown fields are ignored; null is the same as no field, and so is, when lenient,
 * a negative value where devices mean unknown by it.
 */
export function checkPoint(
  point: unknown,
  index: number,
  columns: PointColumns,
  onError: OnPointError,
  handling: Handling = 'strict',
): void {
  if (!isObject(point)) {
    onError(index, '', 'must be an object')
    return
  }
  for (const field of NUMBER_FIELDS) {
    const value = point[field.key]
    if (handling === 'lenient' && isUnknown(value, field)) continue
    const message = takeNumber(value, field, columns[field.column], index)
    if (message !== undefined) onError(index, field.key, message)
  }
  const { key } = POINT_FIELDS.timeMs
  const wrongTime = takeTimestamp(point[key], columns.timeMs, index)
  if (wrongTime !== undefined) onError(index, key, wrongTime)
  for (const field of CHOICE_FIELDS) {
    const message = takeChoice(point[field.key], field, columns[field.column], index)
    if (message !== undefined) onError(index, field.key, message)
  }
}

function isUnknown(value: unknown, { isUnknownBelowZero }: NumberField): boolean {
  return isUnknownBelowZero === true && typeof value === 'number' && value < 0
}

/** Counts an error, and lists it when it is one of the first. */
export function addError(errors: FoundErrors, path: string, message: string): void {
  errors.count++
  if (errors.listed.length < MAX_FIELD_ERRORS) errors.listed.push({ path, message })
}

// The functions below write a field into its column and return its error, or undefined.

function takeNumber(value: unknown, field: NumberField, column: Float64Array, index: number): string | undefined {
  if (value === undefined || value === null) return field.isRequired ? 'is required' : undefined
  if (typeof value !== 'number') return 'must be number'
  if (!Number.isFinite(value)) return 'must be a finite number'
  if (field.min !== undefined && value < field.min) return `must be >= ${field.min}`
  if (field.max !== undefined && value > field.max) return `must be <= ${field.max}`
  column[index] = value
  return undefined
}

function takeTimestamp(value: unknown, column: Float64Array, index: number): string | undefined {
  if (value === undefined || value === null) return 'is required'
  if (typeof value !== 'string') return 'must be string'
  const time = parseDateTime(value)
  if (time === undefined) return 'must be an RFC 3339 date-time with date and time'
  column[index] = time.timeMs
  return undefined
}

function takeChoice(value: unknown, { choices }: ChoiceField, column: Uint8Array, index: number): string | undefined {
  if (value === undefined || value === null) return undefined
  const place = (choices as readonly unknown[]).indexOf(value)
  if (place === -1) return `must be one of ${choices.join(', ')}`
  column[index] = place + 1
  return undefined
}

/** Most points whose errors a receipt lists. More would not help a client that got all of them wrong. */
const MAX_LISTED = 100

/** A point that was left out. The paths of its errors are names of fields, empty for a point that is no object. */
type RejectedPoint = { index: number; errors: FieldError[] }

/** The first points that were left out, and their total number. */
export type RejectedPoints = { listed: RejectedPoint[]; count: number }

/** Valid points in the order sent, and those left out. */
type LenientPoints = { points: PointColumns; rejected: RejectedPoints }

export const NONE_REJECTED: RejectedPoints = { listed: [], count: 0 }

/**
 * Leaves points out that break a rule and returns the others. Negative values where devices mean unknown by them are
 * taken as not given.
 */
export function checkLeniently(values: readonly unknown[]): LenientPoints {
  const columns = emptyColumns(values.length)
  const kept = new Uint32Array(values.length)
  const rejected: RejectedPoints = { listed: [], count: 0 }
  let keptCount = 0
  let errors: FieldError[] = []
  const onError = (_index: number, path: string, message: string) => errors.push({ path, message })
  for (let index = 0; index < values.length; index++) {
    checkPoint(values[index], index, columns, onError, 'lenient')
    if (errors.length === 0) {
      kept[keptCount++] = index
      continue
    }
    rejected.count++
    if (rejected.listed.length < MAX_LISTED) rejected.listed.push({ index, errors })
    errors = []
  }
  return { points: rejected.count === 0 ? columns : pickPoints(columns, kept.subarray(0, keptCount)), rejected }
}

/** Removes, from points that own their memory, the negative values by which devices mean unknown. */
export function removeUnknown(points: PointColumns): PointColumns {
  for (const { column, isUnknownBelowZero } of NUMBER_FIELDS) {
    if (isUnknownBelowZero !== true) continue
    const values = points[column]
    for (let i = 0; i < values.length; i++) if (values[i] < 0) values[i] = Number.NaN
  }
  return points
}
