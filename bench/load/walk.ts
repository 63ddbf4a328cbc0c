import type { WirePoint } from '../../test/support/make-points.ts'
import { randomNumbers } from '../../test/support/random-choices.ts'

/** Earliest second of a walk. Walks start at multiples of ten seconds, on which `PointsRequest` relies. */
export const WALK_START_MS = Date.UTC(2026, 4, 3, 6)

const METERS_PER_DEGREE = 111_195
/** Error of a phone's position. It drifts rather than jumps: each second keeps most of the previous error. */
const DRIFT_METERS = 2
const DRIFT_KEPT = 0.97

/**
 * Generates the points of a run as a phone records it, one per second with every field: a wandering course,
 * positions with seven decimals and a drifting error, altitude, accuracy and heading with one decimal, speed with
 * two. The same seed gives the same points.
 */
export function walk(count: number, seed: number, startMs = WALK_START_MS): WirePoint[] {
  const random = randomNumbers(seed)
  const noise = () => random() + random() + random() - 1.5
  let [north, east, northError, eastError, altitude, accuracy] = [0, 0, 0, 0, 120, 5]
  let [heading, speed] = [360 * random(), 3]
  return Array.from({ length: count }, (_, i) => {
    heading = (heading + 8 * noise() + 360) % 360
    speed = clamp(speed + 0.2 * noise(), 1.5, 5)
    north += speed * Math.cos((heading * Math.PI) / 180)
    east += speed * Math.sin((heading * Math.PI) / 180)
    northError = DRIFT_KEPT * northError + (1 - DRIFT_KEPT) * DRIFT_METERS * 8 * noise()
    eastError = DRIFT_KEPT * eastError + (1 - DRIFT_KEPT) * DRIFT_METERS * 8 * noise()
    altitude += 0.4 * noise()
    accuracy = clamp(accuracy + 0.4 * noise(), 3, 20)
    return {
      latitude: round(48.85 + (north + northError) / METERS_PER_DEGREE, 7),
      longitude: round(2.35 + (east + eastError) / (METERS_PER_DEGREE * 0.658), 7),
      timestamp: new Date(startMs + i * 1000).toISOString(),
      altitude: round(altitude, 1),
      accuracy: round(accuracy, 1),
      speed_mps: round(clamp(speed + 0.3 * noise(), 0, 9), 2),
      heading: round(heading, 1) % 360,
      battery: round(clamp(0.95 - i / 40_000, 0.05, 1), 2),
      origin: 'background',
    }
  })
}

function round(value: number, decimals: number): number {
  return Number(value.toFixed(decimals))
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value))
}
