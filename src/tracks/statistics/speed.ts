import type { ActivityType, Pause } from '../model/track-state.ts'
import { legDistances, metersBetween, secondsBetween, selectPoints, type Trace, upperMedian } from './trace.ts'

/**
 * Share of points that must carry a speed for it to be used: the Doppler speed of a receiver is within 0.1 % of the
 * maximum a device shows; speeds between positions are 20 % above it (docs/accuracy.md).
 */
const SHARE_WITH_SPEED = 0.5

/** Returns true when enough points carry a speed. */
export function hasOwnSpeeds(trace: Trace): boolean {
  let known = 0
  for (let i = 0; i < trace.count; i++) if (trace.speedMps[i] >= 0) known++
  return trace.count > 0 && known >= trace.count * SHARE_WITH_SPEED
}

/** A speed in metres per second, with the index of its point. */
export type SpeedAt = { value: number; index: number }

/**
 * Returns the highest speed in metres per second that the points themselves carry, outside pauses and at most
 * `limitMps`; undefined when there is none. Phones send a negative speed for unknown.
 */
export function maxOwnSpeed(trace: Trace, pauses: readonly Pause[], limitMps: number): SpeedAt | undefined {
  const highest: SpeedAt = { value: -1, index: 0 }
  let next = 0
  for (let i = 0; i < trace.count; i++) {
    const mps = trace.speedMps[i]
    while (next < pauses.length && pauses[next].toMs <= trace.timeMs[i]) next++
    const isPaused = next < pauses.length && pauses[next].fromMs < trace.timeMs[i]
    if (mps > highest.value && mps <= limitMps && !isPaused) Object.assign(highest, { value: mps, index: i })
  }
  return highest.value < 0 ? undefined : highest
}

/**
 * Positions are compared over at least 5 s, half of it on each side; over one second they jitter faster than a slow
 * walk.
 */
const HALF_WINDOW_MS = 2500

/** The speed of a point does not count a longer leg before it: devices stop recording while standing. */
const MAX_LEG_OF_SPEED_SEC = 10

/** Returns the seconds in motion: the total of the legs of `movingLegs`. */
export function movingTimeSec(trace: Trace, starts: Int32Array, activityType: ActivityType, useOwnSpeeds: boolean) {
  const moving = movingLegs(trace, starts, activityType, useOwnSpeeds)
  let movingSec = 0
  for (let i = 1; i < trace.count; i++) if (moving[i] === 1) movingSec += secondsBetween(trace, i - 1, i)
  return movingSec
}

/**
 * Marks each leg of an unbroken run that is faster than standing with 1, at the index of the point where it ends. Its
 * speed is the receiver's with `useOwnSpeeds` if known, otherwise the speed between positions. `starts` are the first
 * points of the runs of unbroken legs.
 */
export function movingLegs(
  trace: Trace,
  starts: Int32Array,
  activityType: ActivityType,
  useOwnSpeeds: boolean,
): Uint8Array {
  const moving = new Uint8Array(trace.count)
  const standingBelowMps = STANDING_BELOW_MPS[activityType]
  for (let run = 0; run < starts.length; run++) {
    const end = run + 1 < starts.length ? starts[run + 1] : trace.count
    let from = starts[run]
    let to = starts[run]
    for (let i = starts[run] + 1; i < end; i++) {
      const middleMs = (trace.timeMs[i - 1] + trace.timeMs[i]) / 2
      while (from + 1 < i && trace.timeMs[from + 1] <= middleMs - HALF_WINDOW_MS) from++
      while (to < end - 1 && (to < i || trace.timeMs[to] < middleMs + HALF_WINDOW_MS)) to++
      const legSec = secondsBetween(trace, i - 1, i)
      const hasOwn = useOwnSpeeds && trace.speedMps[i] >= 0 && legSec <= MAX_LEG_OF_SPEED_SEC
      const mps = hasOwn ? trace.speedMps[i] : metersBetween(trace, from, to) / secondsBetween(trace, from, to)
      if (mps >= standingBelowMps) moving[i] = 1
    }
  }
  return moving
}

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

/**
 * Maximum length of an excursion in points. Measured in docs/accuracy.md: with 3 points, excursions of ten points are
 * missed and make a track a third longer; 30 finds excursions of 20 points.
 */
const LOOK_AHEAD_POINTS = 30

type WithoutSpikes = {
  trace: Trace
  /** Index in the input trace of each remaining point. */
  indexes: Int32Array
  legMeters: Float64Array
  spikes: number
}

/**
 * Leaves out spikes: points to which the path leaps faster than `limitMps` and from which it returns faster than that,
 * to a place within reach of the last good point. A fast leg that does not come back stays: it is most often the
 * catch-up after a lag, and dropping it would shorten the ride.
 */
export function removeSpikes(trace: Trace, legMeters: Float64Array, limitMps: number): WithoutSpikes {
  const kept = new Int32Array(trace.count)
  let count = 0
  for (let i = 0; i < trace.count; i++) {
    const last = count === 0 ? i : kept[count - 1]
    const meters = last === i - 1 ? legMeters[i] : metersBetween(trace, last, i)
    if (meters / secondsBetween(trace, last, i) > limitMps) i = returnFromSpike(trace, legMeters, limitMps, last, i)
    kept[count++] = i
  }
  const indexes = kept.subarray(0, count)
  if (count === trace.count) return { trace, indexes, legMeters, spikes: 0 }
  const smooth = selectPoints(trace, kept, count)
  return { trace: smooth, indexes, legMeters: legDistances(smooth), spikes: trace.count - count }
}

/** Returns the first point after a spike that begins at `spike`, or `spike` itself when it is not one. */
function returnFromSpike(trace: Trace, legMeters: Float64Array, limitMps: number, last: number, spike: number): number {
  const end = Math.min(spike + LOOK_AHEAD_POINTS, trace.count - 1)
  for (let i = spike + 1; i <= end; i++) {
    const comesBackFast = legMeters[i] / secondsBetween(trace, i - 1, i) > limitMps
    if (!comesBackFast) continue
    if (metersBetween(trace, last, i) / secondsBetween(trace, last, i) <= limitMps) return i
  }
  return spike
}
