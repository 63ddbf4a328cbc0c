import { emptyColumns, NUMBER_COLUMNS, type PointColumns } from './point-columns.ts'

/** Columns to scan into: larger than any batch so far, used again for each, and with the number columns by their number. */
export type ScanColumns = {
  readonly capacity: number
  readonly numbers: readonly Float64Array[]
  readonly timeMs: Float64Array
  readonly origin: Uint8Array
}

/** Columns with room for `capacity` points and the first points of `from`. */
export function makeScanColumns(capacity: number, from?: ScanColumns): ScanColumns {
  const columns = emptyColumns(capacity)
  const numbers = NUMBER_COLUMNS.map((name) => columns[name])
  if (from !== undefined) {
    for (const [field, column] of numbers.entries()) column.set(from.numbers[field])
    columns.timeMs.set(from.timeMs)
    columns.origin.set(from.origin)
  }
  return { capacity, numbers, timeMs: columns.timeMs, origin: columns.origin }
}

/** The first `count` points, copied into columns of their own, which lie in one piece of memory. */
export function takeColumns({ numbers, timeMs, origin }: ScanColumns, count: number): PointColumns {
  const memory = new ArrayBuffer(count * 65)
  const column = (place: number, values: Float64Array) => {
    const copy = new Float64Array(memory, place * count * 8, count)
    copyFirst(copy, values)
    return copy
  }
  const origins = new Uint8Array(memory, count * 64, count)
  copyFirst(origins, origin)
  return {
    count,
    timeMs: column(0, timeMs),
    latitude: column(1, numbers[0]),
    longitude: column(2, numbers[1]),
    altitude: column(3, numbers[2]),
    accuracy: column(4, numbers[3]),
    speedMps: column(5, numbers[4]),
    heading: column(6, numbers[5]),
    battery: column(7, numbers[6]),
    origin: origins,
  }
}

function copyFirst<Column extends Float64Array | Uint8Array>(copy: Column, values: Column): void {
  copy.set(values.subarray(0, copy.length))
}
