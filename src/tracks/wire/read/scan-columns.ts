import { NUMBER_RULES } from '../../points/check-point.ts'
import { NUMBER_COLUMNS, type PointColumns } from '../../points/point-columns.ts'
import { makeScanField, type ScanField } from './scan-field.ts'

/** Columns to scan into: used again for every body, with room for more points than most have. */
export type ScanColumns = {
  readonly capacity: number
  /** The number columns in their order, then `timestamp` and `origin`. */
  readonly fields: readonly ScanField[]
  /** Stands before a point's first field and leads to it. */
  readonly start: ScanField
  readonly optional: readonly ScanField[]
  /** The bits of the fields that every point must have. */
  readonly requiredBits: number
}

const FIELDS = [
  ...NUMBER_COLUMNS.map((column) => ({ kind: 'number', ...NUMBER_RULES[column] }) as const),
  { kind: 'timestamp', key: 'timestamp', isRequired: true },
  { kind: 'origin', key: 'origin', isRequired: false },
] as const

/** Columns with room for `capacity` points, which begin with those in `from`. */
export function makeScanColumns(capacity: number, from?: ScanColumns): ScanColumns {
  const fields = FIELDS.map((field, place) => makeScanField(field.key, { ...field, place, capacity }))
  if (from !== undefined) for (const [place, field] of fields.entries()) field.column.set(from.fields[place].column)
  return {
    capacity,
    fields,
    start: { ...fields[0] },
    optional: fields.filter((field) => !field.isRequired),
    requiredBits: fields.reduce((bits, field) => (field.isRequired ? bits | field.bit : bits), 0),
  }
}

/** Whether all numbers of the first `count` points are within the limits of their columns. */
export function areInRange({ fields }: ScanColumns, count: number): boolean {
  return NUMBER_COLUMNS.every((name, place) => {
    const { min, max } = NUMBER_RULES[name]
    return min === -Infinity || isColumnInRange(fields[place].column, count, min, max)
  })
}

function isColumnInRange(column: Float64Array, count: number, min: number, max: number): boolean {
  for (let index = 0; index < count; index++) {
    // An absent value is NaN, which is neither.
    if (column[index] < min || column[index] > max) return false
  }
  return true
}

/** Eight columns of doubles, and one of bytes behind them. */
const DOUBLE_COLUMNS = 8
const DOUBLE_BYTES = DOUBLE_COLUMNS * 8
const POINT_BYTES = DOUBLE_BYTES + 1

/** The first `count` points, copied into columns of their own, which lie in one piece of memory. */
export function takeColumns({ fields }: ScanColumns, count: number): PointColumns {
  const memory = new ArrayBuffer(count * POINT_BYTES)
  const copy = (place: number) => {
    const column = new Float64Array(memory, place * count * 8, count)
    column.set(fields[place].column.subarray(0, count))
    return column
  }
  const [latitude, longitude, altitude, accuracy, speedMps, heading, battery, timeMs] = [0, 1, 2, 3, 4, 5, 6, 7].map(
    copy,
  )
  const origin = new Uint8Array(memory, count * DOUBLE_BYTES, count)
  origin.set(fields[DOUBLE_COLUMNS].column.subarray(0, count))
  return { count, timeMs, latitude, longitude, altitude, accuracy, speedMps, heading, battery, origin }
}
