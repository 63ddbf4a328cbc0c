import type { PointColumns } from '../../points/point-columns.ts'

/** The columns that statistics read. In the trace of `acceptedPoints` the times are strictly ascending. */
export type Trace = Pick<
  PointColumns,
  'count' | 'timeMs' | 'latitude' | 'longitude' | 'altitude' | 'accuracy' | 'speedMps'
>

/**
 * Returns the points at the first `count` indexes of `kept`, in that order; the same object when that is all of them.
 */
export function selectPoints(trace: Trace, kept: Int32Array, count: number): Trace {
  if (count === trace.count) return trace
  const select = (column: Float64Array) => {
    const selected = new Float64Array(count)
    for (let i = 0; i < count; i++) selected[i] = column[kept[i]]
    return selected
  }
  return {
    count,
    timeMs: select(trace.timeMs),
    latitude: select(trace.latitude),
    longitude: select(trace.longitude),
    altitude: select(trace.altitude),
    accuracy: select(trace.accuracy),
    speedMps: select(trace.speedMps),
  }
}

/** Returns the seconds from point `from` to point `to`. */
export function secondsBetween(trace: Trace, from: number, to: number): number {
  return (trace.timeMs[to] - trace.timeMs[from]) / 1000
}
