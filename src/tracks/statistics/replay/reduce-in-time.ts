import { EARTH_RADIUS_METERS } from '../trace/distance.ts'
import type { Trace } from '../trace/trace.ts'

const METERS_PER_DEGREE = (EARTH_RADIUS_METERS * Math.PI) / 180

/**
 * A part of a track between two kept points, and its worst point: the one furthest from where a replay would show it.
 */
type Stretch = { from: number; to: number; worst: number; meters: number }

/** Most points to keep, and the distance that nobody sees on a map. */
type Reduction = { maxPoints: number; toleranceMeters: number }

/**
 * Returns the indexes of at most `maxPoints` points, at least 2, between which a runner can be drawn in even motion:
 * the top-down time-ratio algorithm (Meratnia and de By, "Spatiotemporal Compression Techniques for Moving Point
 * Objects", EDBT 2004). It halves the stretch with the largest error until none exceeds the tolerance. The error is
 * the distance between the true position at a time and the one shown then, so stops and changes of speed stay, unlike
 * with an algorithm that knows only the shape.
 */
export function reduceInTime(trace: Trace, { maxPoints, toleranceMeters }: Reduction): Int32Array {
  const { count } = trace
  if (count <= 2) return Int32Array.from({ length: count }, (_, i) => i)
  const kept = [0, count - 1]
  const stretches = [stretchOf(trace, 0, count - 1)]
  while (kept.length < maxPoints) {
    const at = worstOf(stretches)
    const { from, to, worst, meters } = stretches[at]
    if (meters <= toleranceMeters) break
    kept.push(worst)
    stretches[at] = stretchOf(trace, from, worst)
    stretches.push(stretchOf(trace, worst, to))
  }
  return Int32Array.from(kept).sort()
}

/** The number of stretches is small, and a search among them takes less than the stretches themselves. */
function worstOf(stretches: readonly Stretch[]): number {
  let worst = 0
  for (let i = 1; i < stretches.length; i++) if (stretches[i].meters > stretches[worst].meters) worst = i
  return worst
}

function stretchOf({ timeMs, latitude, longitude }: Trace, from: number, to: number): Stretch {
  const spanMs = timeMs[to] - timeMs[from]
  const [north, east] = [latitude[to] - latitude[from], shortWay(longitude[to] - longitude[from])]
  const scale = Math.cos((latitude[from] * Math.PI) / 180)
  let [worst, largest] = [from, -1]
  for (let i = from + 1; i < to; i++) {
    const share = (timeMs[i] - timeMs[from]) / spanMs
    const y = latitude[i] - latitude[from] - share * north
    const x = (shortWay(longitude[i] - longitude[from]) - share * east) * scale
    const error = x * x + y * y
    if (error > largest) [worst, largest] = [i, error]
  }
  return { from, to, worst, meters: largest < 0 ? 0 : Math.sqrt(largest) * METERS_PER_DEGREE }
}

/** Returns a difference of longitudes the short way around the earth. */
function shortWay(degrees: number): number {
  return degrees - 360 * Math.round(degrees / 360)
}
