import { type AppError, badRequest } from '#platform/errors.ts'
import { NONE_REJECTED, type RejectedPoints, removeUnknown } from '../../points/check-leniently.ts'
import type { FoundErrors } from '../../points/check-point.ts'
import type { PointColumns } from '../../points/point-columns.ts'
import { parseBody } from './parse-body.ts'
import { scanBody } from './scan-body.ts'

/**
 * Returns the points of a `{ "points": […] }` body, in the order sent. Throws 400 for a body that is not JSON, and 400
 * with the paths and number of the errors for points that are missing, more than `maxPoints`, or not valid.
 */
export function readPointsBody(body: Buffer, maxPoints: number): PointColumns {
  const scanned = scanBody(body, maxPoints)
  if (scanned !== undefined) return scanned.points
  const { points, errors } = parseBody(body, maxPoints)
  if (errors.count > 0) throw invalidPoints(errors)
  return points
}

/**
 * Returns the valid points of a `{ "points": […] }` body, in the order sent, and those that were left out. Throws 400
 * for a body that is not JSON, and for points that are missing or more than `maxPoints`.
 */
export function readPointsLeniently(
  body: Buffer,
  maxPoints: number,
): { points: PointColumns; rejected: RejectedPoints } {
  const scanned = scanBody(body, maxPoints)
  if (scanned !== undefined) return { points: removeUnknown(scanned.points), rejected: NONE_REJECTED }
  const { points, rejected, errors } = parseBody(body, maxPoints, 'lenient')
  if (errors.count > 0) throw invalidPoints(errors)
  return { points, rejected }
}

function invalidPoints({ listed, count }: FoundErrors): AppError {
  const [{ path, message }] = listed
  const more = count > 1 ? ` (and ${count - 1} more)` : ''
  return badRequest({ detail: `${path === '' ? 'The body' : path} ${message}${more}`, errors: listed })
}
