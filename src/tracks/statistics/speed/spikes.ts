import { legDistances, metersBetween } from '../trace/distance.ts'
import { secondsBetween, selectPoints, type Trace } from '../trace/trace.ts'

/**
 * Maximum length of an excursion in points. Measured in docs/accuracy.md: with 3 points, excursions of
 * ten points are missed and make a track a third longer; 30 finds those of 20 points.
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
