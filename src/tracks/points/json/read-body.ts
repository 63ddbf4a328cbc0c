import { hash } from 'node:crypto'
import { AppError, badRequest, type FieldError, invalidFields, payloadTooLarge } from '#platform/basics/errors.ts'
import { FEW_FIELDS, isObject, parseJson } from '#platform/http/parse-json.ts'
import {
  addError,
  checkLeniently,
  checkPoint,
  type FoundErrors,
  type Handling,
  NONE_REJECTED,
  type RejectedPoints,
  removeUnknown,
} from '../check-point.ts'
import { emptyColumns, type PointColumns, sortPoints } from '../point-columns.ts'
import { MAX_BODY_VALUES, type PointBatch, scanBody } from './scan-body.ts'

/** A body with points to read, the most that it may have, and the treatment of points that break a rule. */
export type PointsBody = { body: Buffer; maxPoints: number; handling: Handling }

/** The points of a body in canonical order, and the points that the lenient handling left out. */
export type PointsRead = { points: PointColumns; rejected: RejectedPoints }

/** The body of a full sync: `track` and `stats` parsed but not checked; the points, or their errors. */
export type SyncRead = PointsRead & {
  track: unknown
  stats: unknown
  /** The first errors of the points, at most `MAX_FIELD_ERRORS`; empty when the points are valid. */
  errors: FieldError[]
  /** Total number of errors of the points. */
  errorCount: number
  /** The digest by which a repeated request is known. */
  bodySha256: string
}

/** Longest body that is scanned in the thread that answers requests. 10,000 points have 1.8 MB and take 5 ms. */
const MAX_SCANNED_BYTES = 2 * 1_048_576

/** Largest `track` and `stats` of a sync, as for any JSON without points. */
const MAX_FRAME_BYTES = 1_048_576

/** Scans a body that is short, as nearly all are. Returns undefined for a long one, and for unusual spelling. */
export function scanShort({ body, maxPoints }: PointsBody): PointBatch | undefined {
  return body.length > MAX_SCANNED_BYTES ? undefined : scanBody(body, maxPoints)
}

/** Scans a body that `scanShort` leaves out because it is long. */
export function scanLong({ body, maxPoints }: PointsBody): PointBatch | undefined {
  return body.length > MAX_SCANNED_BYTES ? scanBody(body, maxPoints) : undefined
}

/**
 * Returns the points of a `{ "points": […] }` body in canonical order: found by the scanner, or in the parsed body.
 * Throws 400 for a body that is not JSON and for points that are missing or more than `maxPoints`, and with the strict
 * handling for invalid points, with the paths and number of the errors.
 */
export function readPoints(sent: PointsBody, scanned: PointBatch | undefined): PointsRead {
  const { points, rejected, errors } = checkedBody(sent, scanned)
  if (errors.count > 0) throw invalidPoints(errors)
  return { points: sortPoints(points), rejected }
}

/** Returns a body of which the scanner found every point valid, or else parses it. */
function checkedBody({ body, maxPoints, handling }: PointsBody, scanned: PointBatch | undefined): ParsedBody {
  if (scanned === undefined) return parseBody(body, maxPoints, handling)
  const points = handling === 'lenient' ? removeUnknown(scanned.points) : scanned.points
  return { track: scanned.track, points, stats: scanned.stats, errors: NO_ERRORS, rejected: NONE_REJECTED }
}

/**
 * Reads the body of a full sync, as scanned or else parsed, and checks its points. The caller checks `track` and
 * `stats`, so that one answer can name all errors. A field that is absent is undefined. Throws 400 for a body that is
 * not JSON or not an object, and 413 if all but the points is larger than 1 MiB.
 */
export function readSync(sent: PointsBody, scanned: PointBatch | undefined): SyncRead {
  const { track, points, stats, errors, rejected } = checkedBody(sent, scanned)
  if (errors.listed[0]?.path === '') throw invalidFields(errors.listed)
  if (scanned === undefined || sent.body.length > MAX_SCANNED_BYTES) refuseLargeFrame(track, stats)
  return {
    track,
    stats,
    points: sortPoints(points),
    rejected,
    errors: errors.listed,
    errorCount: errors.count,
    bodySha256: hash('sha256', sent.body, 'hex'),
  }
}

/** Applies the limits of ordinary bodies to bodies that other threads have to copy and to check. */
function refuseLargeFrame(track: unknown, stats: unknown): void {
  const frame = Buffer.from(JSON.stringify({ track, stats }))
  if (frame.length > MAX_FRAME_BYTES) throw payloadTooLarge({ detail: 'track and stats are larger than 1 MiB.' })
  parseJson(frame, FEW_FIELDS)
}

function invalidPoints({ listed, count }: FoundErrors): AppError {
  const [{ path, message }] = listed
  const more = count > 1 ? ` (and ${count - 1} more)` : ''
  return badRequest({ detail: `${path === '' ? 'The body' : path} ${message}${more}`, errors: listed })
}

const NO_ERRORS: FoundErrors = { listed: [], count: 0 }

/** A body with the errors that refuse it, and the points that the lenient handling leaves out. */
type ParsedBody = PointBatch & { errors: FoundErrors; rejected: RejectedPoints }

/**
 * Reads `{ "track": {…}, "points": […], "stats": {…} }` with `parseJson`, checks the points, and returns the errors of
 * the points or of the body. Throws only for a body that is not JSON.
 */
export function parseBody(body: Buffer, maxPoints: number, handling: Handling = 'strict'): ParsedBody {
  const value = parseJson(body, { maxValues: MAX_BODY_VALUES })
  if (isObject(value)) {
    return { track: value.track, ...parsePoints(value.points, maxPoints, handling), stats: value.stats }
  }
  const errors: FoundErrors = { listed: [], count: 0 }
  addError(errors, '', 'must be an object')
  return { track: undefined, points: emptyColumns(0), stats: undefined, errors, rejected: NONE_REJECTED }
}

/** The points of a request, or none and their errors. */
type ParsedPoints = { points: PointColumns; errors: FoundErrors; rejected: RejectedPoints }

/**
 * Checks the parsed value of a `points` field and turns it into columns. This function decides whether points are
 * valid; the byte scanner is only a faster way to the same columns for valid points.
 */
function parsePoints(value: unknown, maxPoints: number, handling: Handling): ParsedPoints {
  const errors: FoundErrors = { listed: [], count: 0 }
  if (value === undefined || value === null) addError(errors, 'points', 'is required')
  else if (!Array.isArray(value)) addError(errors, 'points', 'must be an array')
  else if (value.length > maxPoints) addError(errors, 'points', `must have at most ${maxPoints} items`)
  else if (handling === 'lenient') return { ...checkLeniently(value), errors }
  const points = Array.isArray(value) && errors.count === 0 ? checkAll(value, errors) : emptyColumns(0)
  return { points: errors.count === 0 ? points : emptyColumns(0), errors, rejected: NONE_REJECTED }
}

function checkAll(values: unknown[], errors: FoundErrors): PointColumns {
  const columns = emptyColumns(values.length)
  const onError = (index: number, field: string, message: string) =>
    addError(errors, field === '' ? `points/${index}` : `points/${index}/${field}`, message)
  for (let index = 0; index < values.length; index++) checkPoint(values[index], index, columns, onError)
  return columns
}

/** A body to read in a thread, by the kind of its reading function. Bytes lose their class on their way. */
export type BodyTask = { kind: string; sent: { body: Uint8Array } }

/** An error as data, since an `AppError` loses its class on its way between threads. */
export type Refusal = { code: string; status: number; message: string; errors?: FieldError[] }

/** Runs a task with the function of its kind. Returns a refusal instead of throwing it. */
export function runBodyTask(
  { kind, sent }: BodyTask,
  readers: Record<string, (sent: never) => object>,
): object | { refusal: Refusal } {
  const body = Buffer.from(sent.body.buffer, sent.body.byteOffset, sent.body.length)
  try {
    return readers[kind]({ ...sent, body } as never)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { code, status, message, options } = error
    return { refusal: { code, status, message, errors: options.errors } }
  }
}
