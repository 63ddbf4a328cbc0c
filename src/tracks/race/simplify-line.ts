import type { CourseLine } from './course-line.ts'
import { projectionFor } from './projection.ts'

/** Largest deviations of the simplified line: below the error of any receiver, and of elevation models. */
const TOLERANCE_METERS = 1
const ALTITUDE_TOLERANCE_METERS = 2
/** Most places of a simplified line: every track in a race is compared with all of them. */
const MAX_PLACES = 20_000
/** Places between two that are always kept. It bounds the work for a line that was made to be slow. */
const PART_PLACES = 1000

/**
 * Leaves out places without which the line stays within a metre of itself, and within two in height (Douglas and
 * Peucker, "Algorithms for the reduction of the number of points required to represent a digitized line", Cartographica
 * 10, 1973). A line that has too many places even so is reduced further, to within 2, 4 or more metres. The distances
 * of the others stay as they were measured along the whole line.
 */
export function simplifyLine(line: CourseLine): CourseLine {
  for (let tolerance = 1; ; tolerance *= 2) {
    const simplified = simplifyWithin(line, tolerance)
    if (simplified.latitude.length <= MAX_PLACES) return simplified
  }
}

/** Simplifies a line; `tolerance` multiplies the largest deviations. */
function simplifyWithin(line: CourseLine, tolerance: number): CourseLine {
  const count = line.latitude.length
  const kept = new Uint8Array(count)
  const { x, y } = projectionFor(line).columns(line)
  const open: [from: number, to: number][] = []
  for (let from = 0; from < count - 1; from += PART_PLACES) open.push([from, Math.min(from + PART_PLACES, count - 1)])
  for (const [from, to] of open) {
    kept[from] = 1
    kept[to] = 1
  }
  for (let range = open.pop(); range !== undefined; range = open.pop()) {
    const [from, to] = range
    const worst = worstBetween({ x, y, altitude: line.altitude }, from, to, tolerance)
    if (worst === undefined) continue
    kept[worst] = 1
    open.push([from, worst], [worst, to])
  }
  const only = (column: Float64Array) => column.filter((_, i) => kept[i] === 1)
  return {
    latitude: only(line.latitude),
    longitude: only(line.longitude),
    altitude: only(line.altitude),
    distanceM: only(line.distanceM),
  }
}

type Columns = { x: Float64Array; y: Float64Array; altitude: Float64Array }

/** Returns the place that deviates most from the straight line between two others; undefined within the tolerances. */
function worstBetween({ x, y, altitude }: Columns, from: number, to: number, tolerance: number): number | undefined {
  const [dx, dy] = [x[to] - x[from], y[to] - y[from]]
  const squared = dx * dx + dy * dy
  let worst: number | undefined
  let worstShare = tolerance
  for (let i = from + 1; i < to; i++) {
    const along = squared === 0 ? 0 : ((x[i] - x[from]) * dx + (y[i] - y[from]) * dy) / squared
    const f = Math.min(1, Math.max(0, along))
    const aside = Math.hypot(x[i] - x[from] - f * dx, y[i] - y[from] - f * dy)
    const above = Math.abs(altitude[i] - altitude[from] - f * (altitude[to] - altitude[from]))
    const share = Math.max(aside / TOLERANCE_METERS, Number.isNaN(above) ? 0 : above / ALTITUDE_TOLERANCE_METERS)
    if (share <= worstShare) continue
    worst = i
    worstShare = share
  }
  return worst
}
