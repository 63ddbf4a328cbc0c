import type { ActivityType } from './activity-type.ts'

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
