import type { ActivityType } from '../../domain/activity-type.ts'
import { upperMedian } from '../trace/median.ts'
import { secondsBetween, type Trace } from '../trace/trace.ts'

/**
 * Speeds in metres per second that no one sustains in the activity: above the fastest sprints on foot (12.4 m/s, the
 * top speed of the 100 m world record), a run downhill for walkers, and the speed of a road descent (108 km/h).
 */
const TYPE_CAP_MPS: Record<ActivityType, number> = { walk: 7, hike: 7, run: 12, bike: 30 }

/** A track that moves fast throughout is plausible as a whole: its own pace raises the limit. */
const MEDIANS_PLAUSIBLE = 3

/** Returns the median speed of the legs of a trace, 0 without legs; the larger of two middle ones, which is lenient. */
export function medianSpeedMps(trace: Trace, legMeters: Float64Array): number {
  if (trace.count < 2) return 0
  const speeds = new Float64Array(trace.count - 1)
  for (let i = 1; i < trace.count; i++) speeds[i - 1] = legMeters[i] / secondsBetween(trace, i - 1, i)
  return upperMedian(speeds)
}

/** Returns the speed above which a position is not plausible, from the activity and the track's own median speed. */
export function plausibleSpeedMps(activityType: ActivityType, medianMps: number): number {
  return Math.max(TYPE_CAP_MPS[activityType], MEDIANS_PLAUSIBLE * medianMps)
}

/**
 * A leg faster and longer than this is a jump of the receiver, not a movement: faster than a high-speed train, longer
 * than the largest usual error. Both must hold, so that coarse clocks cannot turn a short leg into a jump.
 */
const TELEPORT_MPS = 100
const TELEPORT_METERS = 500

/** Returns true for a leg that is faster and longer than any movement, and unlike the rest of the track. */
export function isTeleport(meters: number, seconds: number, medianMps: number): boolean {
  const mps = meters / seconds
  return mps > TELEPORT_MPS && meters > TELEPORT_METERS && mps > MEDIANS_PLAUSIBLE * medianMps
}
