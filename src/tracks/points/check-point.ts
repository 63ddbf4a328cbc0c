import { type FieldError, MAX_FIELD_ERRORS } from '#platform/errors.ts'
import { parseDateTime } from '#platform/time/date-time.ts'
import { NUMBER_COLUMNS, ORIGINS, type PointColumns } from './point-columns.ts'

/** The first of a request's errors, and how many there are in all. */
export type FoundErrors = { listed: FieldError[]; count: number }

type NumberRule = { key: string; isRequired: boolean; min: number; max: number }

/** What the number columns take; every number must also be finite, which `1e400` is not. */
export const NUMBER_RULES: Record<(typeof NUMBER_COLUMNS)[number], NumberRule> = {
  latitude: { key: 'latitude', isRequired: true, min: -90, max: 90 },
  longitude: { key: 'longitude', isRequired: true, min: -180, max: 180 },
  altitude: { key: 'altitude', isRequired: false, min: -Infinity, max: Infinity },
  accuracy: { key: 'accuracy', isRequired: false, min: -Infinity, max: Infinity },
  speedMps: { key: 'speed_mps', isRequired: false, min: -Infinity, max: Infinity },
  heading: { key: 'heading', isRequired: false, min: 0, max: 360 },
  battery: { key: 'battery', isRequired: false, min: 0, max: 1 },
}

const ORIGIN_NAMES: readonly unknown[] = ORIGINS
const ORIGINS_MESSAGE = `must be one of ${ORIGINS.slice(1).join(', ')}`

/**
 * Writes the point at `index` of a request into `columns`, and into `errors` what is wrong with it.
 * `columns` must be as `emptyColumns` made it there. Unknown fields are ignored, null is like no field.
 */
export function checkPoint(point: unknown, index: number, columns: PointColumns, errors: FoundErrors): void {
  if (!isObject(point)) {
    addError(errors, `points/${index}`, 'must be an object')
    return
  }
  for (const column of NUMBER_COLUMNS) {
    const rule = NUMBER_RULES[column]
    const message = takeNumber(point[rule.key], rule, columns[column], index)
    if (message !== undefined) addError(errors, `points/${index}/${rule.key}`, message)
  }
  const wrongTime = takeTimestamp(point.timestamp, columns.timeMs, index)
  if (wrongTime !== undefined) addError(errors, `points/${index}/timestamp`, wrongTime)
  const wrongOrigin = takeOrigin(point.origin, columns.origin, index)
  if (wrongOrigin !== undefined) addError(errors, `points/${index}/origin`, wrongOrigin)
}

/** Counts an error, and lists it if it is one of the first. */
export function addError(errors: FoundErrors, path: string, message: string): void {
  errors.count++
  if (errors.listed.length < MAX_FIELD_ERRORS) errors.listed.push({ path, message })
}

/** Whether the JSON value is an object, and not an array or null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

// The functions below write a field into its column and give what is wrong with it, or undefined.

function takeNumber(value: unknown, rule: NumberRule, column: Float64Array, index: number): string | undefined {
  if (value === undefined || value === null) return rule.isRequired ? 'is required' : undefined
  if (typeof value !== 'number') return 'must be number'
  if (!Number.isFinite(value)) return 'must be a finite number'
  if (value < rule.min) return `must be >= ${rule.min}`
  if (value > rule.max) return `must be <= ${rule.max}`
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

function takeOrigin(value: unknown, column: Uint8Array, index: number): string | undefined {
  if (value === undefined || value === null) return undefined
  const code = ORIGIN_NAMES.indexOf(value)
  if (code === -1) return ORIGINS_MESSAGE
  column[index] = code
  return undefined
}
