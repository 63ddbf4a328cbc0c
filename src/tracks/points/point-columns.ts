/**
 * Points as columns: one typed array a field instead of one object a point. It is the form in which points are
 * validated, stored, merged, summed up and written out; nothing on the way makes an object of a point.
 */
export type PointColumns = {
  /** Number of points; every array has exactly this length. */
  readonly count: number
  /** Milliseconds since 1970-01-01T00:00:00Z, whole numbers, possibly negative. */
  readonly timeMs: Float64Array
  /** Degrees, -90 to 90. */
  readonly latitude: Float64Array
  /** Degrees, -180 to 180. */
  readonly longitude: Float64Array
  /** Meters; NaN where the point has none, as in all optional columns (JSON has no NaN, so none is lost). */
  readonly altitude: Float64Array
  /** Meters; negative values are stored as sent and mean unknown. */
  readonly accuracy: Float64Array
  /** Meters per second; negative values are stored as sent and mean unknown. */
  readonly speedMps: Float64Array
  /** Degrees, 0 to 360. */
  readonly heading: Float64Array
  /** 0 to 1. */
  readonly battery: Float64Array
  /** Index into ORIGINS; 0 where the point has none. */
  readonly origin: Uint8Array
}

/** Values of `origin`, in the order of their stored codes; stored chunks depend on it, so append only. */
export const ORIGINS = [undefined, 'foreground', 'background', 'native'] as const

/** The columns that hold doubles, in their stored order. */
export const NUMBER_COLUMNS = [
  'latitude',
  'longitude',
  'altitude',
  'accuracy',
  'speedMps',
  'heading',
  'battery',
] as const

/** The columns in which NaN may stand. */
export const OPTIONAL_COLUMNS = ['altitude', 'accuracy', 'speedMps', 'heading', 'battery'] as const

/** Columns for `count` points that the caller fills entirely; until then every number is zero. */
export function allocateColumns(count: number): PointColumns {
  // One piece of memory for all: for a batch of ten points, allocating is most of the cost of having columns.
  const memory = new ArrayBuffer(count * (8 * Float64Array.BYTES_PER_ELEMENT + 1))
  const numbers = (index: number) => new Float64Array(memory, index * count * Float64Array.BYTES_PER_ELEMENT, count)
  return {
    count,
    timeMs: numbers(0),
    latitude: numbers(1),
    longitude: numbers(2),
    altitude: numbers(3),
    accuracy: numbers(4),
    speedMps: numbers(5),
    heading: numbers(6),
    battery: numbers(7),
    origin: new Uint8Array(memory, 8 * count * Float64Array.BYTES_PER_ELEMENT, count),
  }
}

/** Columns for `count` points, all zero, with every optional field absent. */
export function emptyColumns(count: number): PointColumns {
  const points = allocateColumns(count)
  for (const name of OPTIONAL_COLUMNS) points[name].fill(Number.NaN)
  return points
}

/** The points from `start` up to but not including `end`, as views on the same memory. */
export function sliceColumns(points: PointColumns, start: number, end: number): PointColumns {
  return {
    count: end - start,
    timeMs: points.timeMs.subarray(start, end),
    latitude: points.latitude.subarray(start, end),
    longitude: points.longitude.subarray(start, end),
    altitude: points.altitude.subarray(start, end),
    accuracy: points.accuracy.subarray(start, end),
    speedMps: points.speedMps.subarray(start, end),
    heading: points.heading.subarray(start, end),
    battery: points.battery.subarray(start, end),
    origin: points.origin.subarray(start, end),
  }
}

/** The points at these indexes, in their order, copied. */
export function pickPoints(points: PointColumns, indexes: Uint32Array): PointColumns {
  const picked = allocateColumns(indexes.length)
  for (const name of ['timeMs', ...NUMBER_COLUMNS, 'origin'] as const) {
    const from = points[name]
    const to = picked[name]
    for (let i = 0; i < indexes.length; i++) to[i] = from[indexes[i]]
  }
  return picked
}
