import type { Trace } from '../trace/trace.ts'
import type { AltitudeRuns } from './altitude-runs.ts'
import { type ElevationProfile, visitClimbs } from './elevation-gain.ts'

/** Metres climbed and descended up to each point of a trace; the last entries are the totals of the statistics. */
type CumulativeClimbs = { gainMeters: Float64Array; lossMeters: Float64Array }

/**
 * Spreads the counted rises and falls over their points: at each point, a rise counts up to its highest altitude so
 * far. `profile` was computed from `runs`, and these from the trace.
 */
export function cumulativeClimbs(trace: Trace, runs: AltitudeRuns, profile: ElevationProfile): CumulativeClimbs {
  const { meters } = profile
  const rises = new Float64Array(meters.length)
  const falls = new Float64Array(meters.length)
  let [gain, loss, filled] = [0, 0, 0]
  const fillUntil = (until: number) => {
    for (; filled < until; filled++) {
      rises[filled] = gain
      falls[filled] = loss
    }
  }
  visitClimbs(profile, runs.bounds, (from, to) => {
    fillUntil(from + 1)
    const isRise = meters[to] > meters[from]
    const before = isRise ? gain : loss
    let furthest = 0
    for (let i = from + 1; i <= to; i++) {
      furthest = Math.max(furthest, isRise ? meters[i] - meters[from] : meters[from] - meters[i])
      if (isRise) gain = before + furthest
      else loss = before + furthest
      fillUntil(i + 1)
    }
  })
  fillUntil(meters.length)
  return { gainMeters: spreadOverPoints(trace, runs, rises), lossMeters: spreadOverPoints(trace, runs, falls) }
}

/** Spreads the values at the altitudes over all points: a point without altitude has the value before it. */
function spreadOverPoints(trace: Trace, runs: AltitudeRuns, reached: Float64Array): Float64Array {
  const all = new Float64Array(trace.count)
  let next = 0
  let last = 0
  for (let i = 0; i < trace.count; i++) {
    if (next < reached.length && runs.timeMs[next] === trace.timeMs[i]) last = reached[next++]
    all[i] = last
  }
  return all
}
