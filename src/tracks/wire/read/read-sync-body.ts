import { type FieldError, invalidFields } from '#platform/errors.ts'
import { NONE_REJECTED, type RejectedPoints, removeUnknown } from '../../points/check-leniently.ts'
import type { Handling } from '../../points/check-point.ts'
import { parseBody } from './parse-body.ts'
import { type PointBatch, scanBody } from './scan-body.ts'

/** The body of a full sync: `track` and `stats` parsed but not checked; the points, or their errors. */
export type SyncCreate = PointBatch & {
  /** The first errors of the points, at most `MAX_FIELD_ERRORS`; empty when the points are valid. */
  errors: FieldError[]
  /** Total number of errors of the points. */
  errorCount: number
  /** The points that the lenient handling leaves out. */
  rejected: RejectedPoints
}

/**
 * Reads the body of a full sync and checks its points. The caller checks `track` and `stats`, so that one answer can
 * name all errors. A field that is absent is undefined. Throws 400 for a body that is not JSON or not an object.
 */
export function readSyncBody(body: Buffer, maxPoints: number, handling: Handling): SyncCreate {
  const scanned = scanBody(body, maxPoints)
  if (scanned !== undefined) return syncOfScanned(scanned, handling)
  const { track, points, stats, errors, rejected } = parseBody(body, maxPoints, handling)
  if (errors.listed[0]?.path === '') throw invalidFields(errors.listed)
  return { track, points, stats, errors: errors.listed, errorCount: errors.count, rejected }
}

/** Returns a sync of which the scanner found every point valid. */
export function syncOfScanned(scanned: PointBatch, handling: Handling): SyncCreate {
  if (handling === 'lenient') removeUnknown(scanned.points)
  return { ...scanned, errors: [], errorCount: 0, rejected: NONE_REJECTED }
}
