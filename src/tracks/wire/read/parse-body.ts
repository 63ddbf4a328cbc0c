import { parseJson } from '#platform/http/json/parse-json.ts'
import { checkLeniently, NONE_REJECTED, type RejectedPoints } from '../../points/check-leniently.ts'
import { addError, checkPoint, type FoundErrors, type Handling, isObject } from '../../points/check-point.ts'
import { emptyColumns, type PointColumns } from '../../points/point-columns.ts'
import type { PointBatch } from './scan-body.ts'
import { MAX_BODY_VALUES } from './scan-points.ts'

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
