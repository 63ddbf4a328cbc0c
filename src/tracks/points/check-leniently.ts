import type { FieldError } from '#platform/errors.ts'
import { checkPoint } from './check-point.ts'
import { emptyColumns, type PointColumns, pickPoints } from './point-columns.ts'
import { NUMBER_FIELDS } from './point-fields.ts'

/** Most points whose errors a receipt lists. More would not help a client that got all of them wrong. */
const MAX_LISTED = 100

/** A point that was left out. The paths of its errors are names of fields, empty for a point that is no object. */
export type RejectedPoint = { index: number; errors: FieldError[] }

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
