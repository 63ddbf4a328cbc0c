import type { PointColumns } from '../points/point-columns.ts'
import { selectPoints, type Trace } from './trace/trace.ts'

/** Statistics need a leg, so a filter that would leave fewer points than this is not applied. */
const MIN_POINTS = 2

export type AcceptedPoints = {
  trace: Trace
  /** Index among all points of each point of the trace. */
  indexes: Int32Array
  /** Points left out because another one has the same time. */
  sameTime: number
  /** Points left out because their accuracy is worse than the limit. */
  inaccurate: number
}

/**
 * Returns the points that statistics use: one for each timestamp, none with a known accuracy worse than
 * `maxAccuracyMeters` (0 = any). The selection depends only on the points, not on the order of their arrival.
 */
export function acceptedPoints(points: PointColumns, maxAccuracyMeters: number): AcceptedPoints {
  const limit = maxAccuracyMeters > 0 ? maxAccuracyMeters : Number.POSITIVE_INFINITY
  const kept = new Int32Array(points.count)
  const distinct = keepBestOfEachTime(points, limit, kept)
  const accurate = countAccurate(points, limit, kept, distinct)
  const sameTime = points.count - distinct
  if (accurate === distinct || accurate < MIN_POINTS) {
    return { trace: selectPoints(points, kept, distinct), indexes: kept.subarray(0, distinct), sameTime, inaccurate: 0 }
  }
  const trace = keepAccurate(points, limit, kept, distinct)
  return { trace, indexes: kept.subarray(0, accurate), sameTime, inaccurate: distinct - accurate }
}

/**
 * Returns the expected error. Phones send a negative one, or none, for unknown, which ranks after every accepted error.
 */
function errorMeters(points: Trace, index: number, limit: number): number {
  const accuracy = points.accuracy[index]
  return accuracy >= 0 ? accuracy : limit
}

/** Writes the best point of each time to `kept`, the first of equally good ones, and returns their number. */
function keepBestOfEachTime(points: Trace, limit: number, kept: Int32Array): number {
  let count = 0
  for (let i = 0; i < points.count; i++) {
    if (count === 0 || points.timeMs[i] !== points.timeMs[kept[count - 1]]) kept[count++] = i
    else if (errorMeters(points, i, limit) < errorMeters(points, kept[count - 1], limit)) kept[count - 1] = i
  }
  return count
}

function countAccurate(points: Trace, limit: number, kept: Int32Array, count: number): number {
  let accurate = 0
  for (let i = 0; i < count; i++) if (errorMeters(points, kept[i], limit) <= limit) accurate++
  return accurate
}

function keepAccurate(points: Trace, limit: number, kept: Int32Array, count: number): Trace {
  let accurate = 0
  for (let i = 0; i < count; i++) {
    if (errorMeters(points, kept[i], limit) <= limit) kept[accurate++] = kept[i]
  }
  return selectPoints(points, kept, accurate)
}
