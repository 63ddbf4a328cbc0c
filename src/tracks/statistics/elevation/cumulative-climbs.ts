import type { Trace } from '../trace/trace.ts'
import type { AltitudeRuns } from './altitude-runs.ts'
import { type ElevationProfile, visitMoves } from './elevation-gain.ts'

/** Metres climbed and descended up to each point of a trace; they end with the totals of the statistics. */
export type CumulativeClimbs = { gainMeters: Float64Array; lossMeters: Float64Array }

/**
 * Spreads the counted rises and falls over the points on their way: a rise has come as far as its highest altitude so
 * far. `profile` was made of `runs`, and these of the trace.
 */
export function cumulativeClimbs(trace: Trace, runs: AltitudeRuns, profile: ElevationProfile): CumulativeClimbs {
  const { meters } = profile
  const rises = new Float64Array(meters.length)
  const falls = new Float64Array(meters.length)
  let [gain, loss, told] = [0, 0, 0]
  const tell = (until: number) => {
    for (; told < until; told++) {
      rises[told] = gain
      falls[told] = loss
    }
  }
  visitMoves(profile, runs.bounds, (from, to) => {
    tell(from + 1)
    const isRise = meters[to] > meters[from]
    const before = isRise ? gain : loss
    let furthest = 0
    for (let i = from + 1; i <= to; i++) {
      furthest = Math.max(furthest, isRise ? meters[i] - meters[from] : meters[from] - meters[i])
      if (isRise) gain = before + furthest
      else loss = before + furthest
      tell(i + 1)
    }
  })
  tell(meters.length)
  return { gainMeters: carried(trace, runs, rises), lossMeters: carried(trace, runs, falls) }
}

/** What was reached at the altitudes, for all points: those without one have what was reached before them. */
function carried(trace: Trace, runs: AltitudeRuns, reached: Float64Array): Float64Array {
  const all = new Float64Array(trace.count)
  let next = 0
  let last = 0
  for (let i = 0; i < trace.count; i++) {
    if (next < reached.length && runs.timeMs[next] === trace.timeMs[i]) last = reached[next++]
    all[i] = last
  }
  return all
}
