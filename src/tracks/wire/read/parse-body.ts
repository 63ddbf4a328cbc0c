import { parseJson } from '#platform/http/json/parse-json.ts'
import { addError, type FoundErrors, isObject } from '../../points/check-point.ts'
import { emptyColumns } from '../../points/point-columns.ts'
import { parsePoints } from './parse-points.ts'
import type { PointsBody } from './scan-body.ts'

/**
 * Reads `{ "track": {…}, "points": […], "stats": {…} }` by way of `parseJson`, checks the points, and says what is
 * wrong with them or with the body. Throws only for a body that is not JSON.
 */
export function parseBody(body: Buffer, maxPoints: number): PointsBody & { errors: FoundErrors } {
  const value = parseJson(body)
  if (isObject(value)) return { track: value.track, ...parsePoints(value.points, maxPoints), stats: value.stats }
  const errors: FoundErrors = { listed: [], count: 0 }
  addError(errors, '', 'must be an object')
  return { track: undefined, points: emptyColumns(0), stats: undefined, errors }
}
