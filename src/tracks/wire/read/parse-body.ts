import { parseJson } from '#platform/http/json/parse-json.ts'
import { addError, checkPoint, type FoundErrors, isObject } from '../../points/check-point.ts'
import { emptyColumns, type PointColumns } from '../../points/point-columns.ts'
import type { PointBatch } from './scan-body.ts'
import { MAX_BODY_VALUES } from './scan-points.ts'

/**
 * Reads `{ "track": {…}, "points": […], "stats": {…} }` with `parseJson`, checks the points, and returns the errors of
 * the points or of the body. Throws only for a body that is not JSON.
 */
export function parseBody(body: Buffer, maxPoints: number): PointBatch & { errors: FoundErrors } {
  const value = parseJson(body, MAX_BODY_VALUES)
  if (isObject(value)) return { track: value.track, ...parsePoints(value.points, maxPoints), stats: value.stats }
  const errors: FoundErrors = { listed: [], count: 0 }
  addError(errors, '', 'must be an object')
  return { track: undefined, points: emptyColumns(0), stats: undefined, errors }
}

/** The points of a request, or none and their errors. */
type ParsedPoints = { points: PointColumns; errors: FoundErrors }

/**
 * Checks the parsed value of a `points` field and turns it into columns. This function decides whether points are
 * valid; the byte scanner is only a faster way to the same columns for valid points.
 */
function parsePoints(value: unknown, maxPoints: number): ParsedPoints {
  const errors: FoundErrors = { listed: [], count: 0 }
  const points = Array.isArray(value) && value.length <= maxPoints ? checkAll(value, errors) : emptyColumns(0)
  if (value === undefined || value === null) addError(errors, 'points', 'is required')
  else if (!Array.isArray(value)) addError(errors, 'points', 'must be an array')
  else if (value.length > maxPoints) addError(errors, 'points', `must have at most ${maxPoints} items`)
  return { points: errors.count === 0 ? points : emptyColumns(0), errors }
}

function checkAll(values: unknown[], errors: FoundErrors): PointColumns {
  const columns = emptyColumns(values.length)
  for (let index = 0; index < values.length; index++) checkPoint(values[index], index, columns, errors)
  return columns
}
