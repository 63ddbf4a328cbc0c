import { allocateColumns, type PointColumns } from '../../points/point-columns.ts'
import { FIELDS } from '../../points/point-fields.ts'
import { makeScanField, type ScanField } from './scan-field.ts'

/** Columns to scan into: reused for every body, with room for more points than most have. */
export type ScanColumns = {
  readonly capacity: number
  readonly fields: readonly ScanField[]
  /** Precedes a point's first field and leads to it. */
  readonly start: ScanField
  readonly optional: readonly ScanField[]
  /** The bits of the fields that every point must have. */
  readonly requiredBits: number
}

/** Returns columns with room for `capacity` points, which begin with those in `from`. */
export function makeScanColumns(capacity: number, from?: ScanColumns): ScanColumns {
  const fields = FIELDS.map((field, place) => makeScanField(field, place, capacity))
  if (from !== undefined) for (const [place, field] of fields.entries()) field.column.set(from.fields[place].column)
  return {
    capacity,
    fields,
    start: { ...fields[0] },
    optional: fields.filter((field) => !field.isRequired),
    requiredBits: fields.reduce((bits, field) => (field.isRequired ? bits | field.bit : bits), 0),
  }
}

/** True when all numbers of the first `count` points are within the bounds of their fields. */
export function areInRange({ fields }: ScanColumns, count: number): boolean {
  return fields.every(
    ({ column, min, max }) => (min === -Infinity && max === Infinity) || isColumnInRange(column, count, min, max),
  )
}

function isColumnInRange(column: Float64Array, count: number, min: number, max: number): boolean {
  for (let index = 0; index < count; index++) {
    // An absent value is NaN, for which both comparisons are false.
    if (column[index] < min || column[index] > max) return false
  }
  return true
}

/** Up to this number of points, copying one value after the other is faster than a view to copy at once. */
const MAX_COPIED_SINGLY = 64

/** Returns the first `count` points, copied into columns of their own. */
export function takeColumns({ fields }: ScanColumns, count: number): PointColumns {
  const points = allocateColumns(count)
  for (const { name, column } of fields) {
    const taken = points[name]
    if (count > MAX_COPIED_SINGLY) taken.set(column.subarray(0, count))
    else for (let i = 0; i < count; i++) taken[i] = column[i]
  }
  return points
}
