import { legDistances, metersBetween } from '../trace/distance.ts'
import { secondsBetween, selectPoints, type Trace } from '../trace/trace.ts'

/**
 * Longest excursion, in points, that is still seen as one. Measured in docs/accuracy.md: with 3 points, excursions of
 * ten pass unnoticed and make a track a third longer; 30 finds those of 20 points.
 */
const LOOK_AHEAD_POINTS = 30

export type WithoutSpikes = {
  trace: Trace
  /** Index in the trace before of each point that is left. */
  indexes: Int32Array
  legMeters: Float64Array
  spikes: number
}

/**
 * Leaves out spikes: points where the path leaves at more than `limitMps` and comes back at more than that, to where
 * it could have got from the last good point. A fast leg that does not come back stays: it is most often the
 * catch-up after a lag, and dropping those makes a ride shorter than it was.
 */
export function withoutSpikes(trace: Trace, legMeters: Float64Array, limitMps: number): WithoutSpikes {
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

/** The first point after a spike that begins at `spike`, or `spike` itself when it is none. */
function returnFromSpike(trace: Trace, legMeters: Float64Array, limitMps: number, last: number, spike: number): number {
  const end = Math.min(spike + LOOK_AHEAD_POINTS, trace.count - 1)
  for (let i = spike + 1; i <= end; i++) {
    const comesBackFast = legMeters[i] / secondsBetween(trace, i - 1, i) > limitMps
    if (!comesBackFast) continue
    if (metersBetween(trace, last, i) / secondsBetween(trace, last, i) <= limitMps) return i
  }
  return spike
}
