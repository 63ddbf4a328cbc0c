import type { ActivityType } from '../../domain/activity-type.ts'

/**
 * Slower than this, in metres per second, is standing: 1 km/h on foot as in gpxpy and FitTrackee, because the pace of a
 * steep climb must count as moving, and 4 km/h on a bike as in sports-lib.
 */
export const STANDING_BELOW_MPS: Readonly<Record<ActivityType, number>> = {
  walk: 0.28,
  hike: 0.28,
  run: 0.28,
  bike: 1.11,
}

/** A third of the track's own median speed is no longer its pace, as three times it is the limit of the plausible. */
const SHARE_OF_MEDIAN = 1 / 3

/**
 * Slower than this, over minutes without points, the recorder was not being used. A ride or run by another name is told
 * by its own median speed, but never beyond the standing speed of a bike: tracks that climb slowly are common.
 */
export function carriedBelowMps(activityType: ActivityType, medianMps: number): number {
  return Math.min(STANDING_BELOW_MPS.bike, Math.max(STANDING_BELOW_MPS[activityType], medianMps * SHARE_OF_MEDIAN))
}
