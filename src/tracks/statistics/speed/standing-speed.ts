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

/** Below a third of the track's own median speed it is no longer its pace, as three times it is the plausible limit. */
const SHARE_OF_MEDIAN = 1 / 3

/**
 * Returns the speed in metres per second below which the recorder was not being used over minutes without points. The
 * median speed reveals a ride or run of another activity type, but never counts beyond the standing speed of a bike:
 * tracks that climb slowly are common.
 */
export function stoppedBelowMps(activityType: ActivityType, medianMps: number): number {
  return Math.min(STANDING_BELOW_MPS.bike, Math.max(STANDING_BELOW_MPS[activityType], medianMps * SHARE_OF_MEDIAN))
}
