import type { ActivityFile, ActivityPoint } from '../activity-file/activity-file.ts'
import type { FigureName, Figures } from './report.ts'

/**
 * Below this a device's ascent means little: rounding to whole metres and one hill more or less make up a tenth of it.
 */
const SMALLEST_ASCENT_METERS = 60

/** With more than this share of the distance without positions, the totals are of another track than the points. */
const LARGEST_UNLOCATED_SHARE = 0.01

/** Points that span this many times the duration of the device have broken times. */
const BROKEN_TIMES = 2

/** A figure of the device, or the reason why it cannot be compared. */
export type DeviceFigure = number | string

/** The device's own figures for a file, each with the reason if it cannot be compared. */
export function deviceFigures(file: ActivityFile): Record<FigureName, DeviceFigure> {
  const { totals } = file
  const unusable = reasonAgainst(file)
  const orReason = (value: number | undefined, reason: string) => unusable ?? (value || reason)
  const isClimb = (totals.ascentMeters ?? 0) >= SMALLEST_ASCENT_METERS
  return {
    distanceMeters: orReason(totals.distanceMeters, 'no distance'),
    gainMeters: orReason(isClimb ? totals.ascentMeters : undefined, 'no ascent, or under 60 m'),
    maxSpeedMps: orReason(totals.maxSpeedMps, 'no maximum speed'),
    durationSec: orReason(totals.elapsedSec, 'no elapsed time'),
  }
}

/** Returns the reason why none of a file's totals can be compared, or undefined. */
export function reasonAgainst({ points, totals }: ActivityFile): string | undefined {
  if (points.length < 2) return 'no positions'
  const spanSec = (Date.parse(points[points.length - 1].timestamp) - Date.parse(points[0].timestamp)) / 1000
  if (spanSec > BROKEN_TIMES * (totals.elapsedSec ?? totals.timerSec ?? spanSec)) return 'damaged file, broken times'
  const unlocated = (totals.unlocatedMeters ?? 0) / (totals.distanceMeters || 1)
  if (unlocated > LARGEST_UNLOCATED_SHARE) return `${(unlocated * 100).toFixed(1)} % of the way without position`
  return undefined
}

/** Returns the relative error of a figure, or undefined when the device has none to compare with. */
export function relativeError(figures: Figures, device: Record<FigureName, DeviceFigure>, name: FigureName) {
  const expected = device[name]
  const actual = figures[name]
  return typeof expected === 'string' || actual === undefined ? undefined : actual / expected - 1
}

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
