import type { ActivityPoint } from '../activity-file/activity-file.ts'
import type { Figures } from './figures.ts'

const EARTH_RADIUS_METERS = 6_371_008.8

/**
 * The literal reading of a track, for comparison: every leg and every rise is summed, and the fastest leg is the
 * maximum speed. Does not use the service's code.
 */
export function plainSum(points: readonly ActivityPoint[]): Figures {
  const figures = { distanceMeters: 0, gainMeters: 0, maxSpeedMps: 0, durationSec: 0 }
  for (const [i, point] of points.entries()) {
    if (i === 0) continue
    const before = points[i - 1]
    const meters = haversine(before, point)
    const seconds = (Date.parse(point.timestamp) - Date.parse(before.timestamp)) / 1000
    figures.distanceMeters += meters
    figures.gainMeters += Math.max(0, (point.altitude ?? Number.NaN) - (before.altitude ?? Number.NaN)) || 0
    if (seconds > 0) figures.maxSpeedMps = Math.max(figures.maxSpeedMps, meters / seconds)
    figures.durationSec += seconds
  }
  return figures
}

function haversine(from: ActivityPoint, to: ActivityPoint): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180
  const half =
    Math.sin(radians(to.latitude - from.latitude) / 2) ** 2 +
    Math.cos(radians(from.latitude)) *
      Math.cos(radians(to.latitude)) *
      Math.sin(radians(to.longitude - from.longitude) / 2) ** 2
  return 2 * EARTH_RADIUS_METERS * Math.asin(Math.sqrt(Math.min(1, half)))
}
