import type { FieldError, PointInput, StoredPoint } from './wire.ts'

/** Phones report a negative number where they know none. The server's lenient mode reads them in the same way. */
const NEGATIVE_IS_UNKNOWN = ['accuracy', 'speed_mps', 'heading', 'battery']
const OPTIONAL_NUMBERS = ['altitude', ...NEGATIVE_IS_UNKNOWN]
/** Bounds of the API, inclusive. */
const BOUNDS: Record<string, readonly [number, number]> = {
  latitude: [-90, 90],
  longitude: [-180, 180],
  heading: [0, 360],
  battery: [0, 1],
}
const CHOICES: Record<string, readonly unknown[]> = {
  origin: ['foreground', 'background', 'native'],
  altitude_reference: ['sea_level', 'ellipsoid'],
}
const DATE_TIME = /^(\d{4}-\d\d-\d\d)[Tt]((?:[01]\d|2[0-3]):[0-5]\d:)([0-5]\d|60)(\.\d+)?([Zz]|[+-]\d\d:\d\d)?$/

/**
 * Returns a point in the one form in which it is stored and sent. Points that the server takes for equal get equal
 * texts, so that a point is sent once however often it was added. Numbers that say "unknown" are left out.
 */
export function cleanPoint(point: PointInput): StoredPoint {
  const given = point as unknown as Record<string, unknown>
  const cleaned: StoredPoint = {
    latitude: given.latitude,
    longitude: given.longitude,
    timestamp: utcText(given.timestamp) ?? given.timestamp,
  }
  for (const name of OPTIONAL_NUMBERS) {
    const value = given[name]
    const isUnknown =
      value === null ||
      value === undefined ||
      (typeof value === 'number' && (!Number.isFinite(value) || (value < 0 && NEGATIVE_IS_UNKNOWN.includes(name))))
    if (!isUnknown) cleaned[name] = value
  }
  for (const name of Object.keys(CHOICES)) {
    if (given[name] !== undefined && given[name] !== null) cleaned[name] = given[name]
  }
  return cleaned
}

/** Returns what the server would refuse about a cleaned point, in its words. */
export function pointErrors(point: StoredPoint): FieldError[] {
  const errors: FieldError[] = []
  for (const name of ['latitude', 'longitude', ...OPTIONAL_NUMBERS]) {
    const value = point[name]
    const [min, max] = BOUNDS[name] ?? [-Infinity, Infinity]
    if (value === undefined) {
      if (name.endsWith('itude') && name !== 'altitude') errors.push({ path: name, message: 'is required' })
    } else if (typeof value !== 'number' || !Number.isFinite(value)) {
      errors.push({ path: name, message: 'must be a finite number' })
    } else if (value < min || value > max) {
      errors.push({ path: name, message: value < min ? `must be >= ${min}` : `must be <= ${max}` })
    }
  }
  if (utcText(point.timestamp) === undefined) {
    errors.push({ path: 'timestamp', message: 'must be a time from year 0 to 9999, as text with date and time' })
  }
  for (const [name, choices] of Object.entries(CHOICES)) {
    if (point[name] !== undefined && !choices.includes(point[name])) {
      errors.push({ path: name, message: `must be one of ${choices.join(', ')}` })
    }
  }
  return errors
}

/** Returns a time in UTC with milliseconds; undefined if it is none. */
function utcText(time: unknown): string | undefined {
  const timeMs = typeof time === 'string' ? parsed(time) : Number(time instanceof Date ? time.getTime() : time)
  if (typeof time === 'boolean' || time === null || !(Math.abs(timeMs) <= 8.64e15)) return undefined
  const text = new Date(timeMs).toISOString()
  return text.length === 24 ? text : undefined
}

/** Returns milliseconds, NaN for what is no time. Engines differ in what else `Date.parse` takes. */
function parsed(text: string): number {
  const [, date, hours, seconds, fraction = '', offset = 'Z'] = DATE_TIME.exec(text) ?? []
  const day = new Date(`${date}T00:00:00Z`)
  // Some engines move 30 February into March.
  if (date === undefined || Number.isNaN(day.getTime()) || day.getUTCDate() !== Number(date.slice(8))) return Number.NaN
  // A leap second is the first second of the next minute.
  const leapMs = seconds === '60' ? 1000 : 0
  const main = Date.parse(`${date}T${hours}${leapMs > 0 ? '59' : seconds}Z`)
  const zone = offset.toUpperCase() === 'Z' ? 0 : Date.parse(`1970-01-01T00:00:00${offset}`)
  return main + leapMs + Number(`${fraction}000`.slice(1, 4)) + zone
}
