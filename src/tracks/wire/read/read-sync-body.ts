import { type FieldError, invalidFields } from '#platform/errors.ts'
import { parseBody } from './parse-body.ts'
import { type PointBatch, scanBody } from './scan-body.ts'

/** The body of a full sync: `track` and `stats` parsed but not checked; the points, or their errors. */
export type SyncCreate = PointBatch & {
  /** The first errors of the points, at most `MAX_FIELD_ERRORS`; empty when the points are valid. */
  errors: FieldError[]
  /** Total number of errors of the points. */
  errorCount: number
}

/**
 * Reads the body of a full sync and checks its points. The caller checks `track` and `stats`, so that one answer can
 * name all errors. A field that is absent is undefined. Throws 400 for a body that is not JSON or not an object.
 */
export function readSyncBody(body: Buffer, maxPoints: number): SyncCreate {
  const scanned = scanBody(body, maxPoints)
  if (scanned !== undefined) return { ...scanned, errors: [], errorCount: 0 }
  const { track, points, stats, errors } = parseBody(body, maxPoints)
  if (errors.listed[0]?.path === '') throw invalidFields(errors.listed)
  return { track, points, stats, errors: errors.listed, errorCount: errors.count }
}
