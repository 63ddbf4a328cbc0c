import { CHOICE_FIELDS, FIELDS, NUMBER_FIELDS, type PointFields } from './point-fields.ts'

/**
 * Points as columns: one typed array per field instead of one object per point. Points are validated, stored, merged,
 * summed up and written in this form; no step makes an object of a point.
 */
export type PointColumns = {
  /** Number of points; every array has exactly this length. */
  readonly count: number
} & { readonly [Column in keyof PointFields]: ColumnOf<PointFields[Column]> }

type ColumnOf<Field> = Field extends { kind: 'choice' } ? Uint8Array : Float64Array

const DOUBLE_BYTES = Float64Array.BYTES_PER_ELEMENT
const DOUBLE_COLUMNS = ['timeMs', ...NUMBER_FIELDS.map(({ column }) => column)] as const
const BYTE_COLUMNS = CHOICE_FIELDS.map(({ column }) => column)
const POINT_BYTES = DOUBLE_COLUMNS.length * DOUBLE_BYTES + BYTE_COLUMNS.length

type WritableColumns = { -readonly [Name in keyof PointColumns]: PointColumns[Name] }

/** Copied for all columns, because V8 makes a copy much faster than an object to which properties are added. */
const NO_POINTS = Object.fromEntries([
  ['count', 0],
  ...DOUBLE_COLUMNS.map((column) => [column, new Float64Array(0)]),
  ...BYTE_COLUMNS.map((column) => [column, new Uint8Array(0)]),
]) as WritableColumns

/** Returns columns for `count` points that the caller fills entirely; until then every number is zero. */
export function allocateColumns(count: number): PointColumns {
  // One piece of memory for all: for a batch of ten points, allocating is most of the cost of having columns.
  const memory = new ArrayBuffer(count * POINT_BYTES)
  const points = { ...NO_POINTS, count }
  let at = 0
  for (const column of DOUBLE_COLUMNS) {
    points[column] = new Float64Array(memory, at, count)
    at += count * DOUBLE_BYTES
  }
  for (const column of BYTE_COLUMNS) {
    points[column] = new Uint8Array(memory, at, count)
    at += count
  }
  return points
}

/** Returns columns for `count` points, all zero, with every optional field absent. */
export function emptyColumns(count: number): PointColumns {
  const points = allocateColumns(count)
  for (const { column, isRequired } of NUMBER_FIELDS) if (!isRequired) points[column].fill(Number.NaN)
  return points
}

/** Returns the points from `start` up to but not including `end`, as views on the same memory. */
export function sliceColumns(points: PointColumns, start: number, end: number): PointColumns {
  const slice = { ...NO_POINTS, count: end - start }
  for (const column of DOUBLE_COLUMNS) slice[column] = points[column].subarray(start, end)
  for (const column of BYTE_COLUMNS) slice[column] = points[column].subarray(start, end)
  return slice
}

/** Returns a copy of the points at these indexes, in their order. */
export function pickPoints(points: PointColumns, indexes: Uint32Array): PointColumns {
  const picked = allocateColumns(indexes.length)
  for (const { column } of FIELDS) {
    const from = points[column]
    const to = picked[column]
    for (let i = 0; i < indexes.length; i++) to[i] = from[indexes[i]]
  }
  return picked
}
