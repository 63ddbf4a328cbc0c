import { addError, checkPoint, type FoundErrors } from '../../points/check-point.ts'
import { emptyColumns, type PointColumns } from '../../points/point-columns.ts'

/** The points of a request, or none and what is wrong with them. */
export type ParsedPoints = { points: PointColumns; errors: FoundErrors }

/**
 * Checks the parsed value of a `points` field and turns it into columns. This is what decides about a request's points;
 * the byte scanner is only a faster way to the same columns, for points that nothing is wrong with.
 */
export function parsePoints(value: unknown, maxPoints: number): ParsedPoints {
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
