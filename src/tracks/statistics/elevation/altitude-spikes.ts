import { upperMedian } from '../trace/median.ts'
import { type AltitudeRuns, MIN_ALTITUDES } from './altitude-runs.ts'

/** No one climbs or falls faster than this, in metres per second: a bike at 30 m/s on a slope of 20 % falls at 6. */
const CAP_MPS = 10

/** As for positions: altitudes that move fast throughout are plausible as a whole. */
const MEDIANS_PLAUSIBLE = 3

/** Maximum number of altitudes in a spike; the same as for positions. */
const LOOK_AHEAD = 30

/**
 * Leaves out altitudes that leap away and back faster than anyone climbs or falls, such as those of a barometer that
 * starts with a wrong reference, or of a gust on its opening. A leap that does not come back stays. Tracks with few
 * altitudes are not filtered.
 */
export function removeAltitudeSpikes(runs: AltitudeRuns): AltitudeRuns {
  if (runs.meters.length < MIN_ALTITUDES) return runs
  const limitMps = Math.max(CAP_MPS, MEDIANS_PLAUSIBLE * medianVerticalMps(runs))
  const timeMs = new Float64Array(runs.timeMs.length)
  const meters = new Float64Array(runs.meters.length)
  const bounds = new Int32Array(runs.bounds.length)
  let count = 0
  for (let run = 0; run + 1 < runs.bounds.length; run++) {
    const end = runs.bounds[run + 1]
    for (let i = runs.bounds[run], last = i; i < end; last = i++) {
      if (verticalMps(runs, last, i) > limitMps) i = returnFromSpike(runs, limitMps, last, i, end)
      timeMs[count] = runs.timeMs[i]
      meters[count++] = runs.meters[i]
    }
    bounds[run + 1] = count
  }
  return count === runs.meters.length
    ? runs
    : { timeMs: timeMs.subarray(0, count), meters: meters.subarray(0, count), bounds }
}

/** Returns the first altitude after a spike that begins at `spike`, or `spike` itself when it is not one. */
function returnFromSpike(runs: AltitudeRuns, limitMps: number, last: number, spike: number, end: number): number {
  for (let i = spike + 1; i < Math.min(spike + LOOK_AHEAD + 1, end); i++) {
    if (verticalMps(runs, i - 1, i) > limitMps && verticalMps(runs, last, i) <= limitMps) return i
  }
  return spike
}

/** Returns metres per second. Shorter steps count as one second, or the last digit alone would be a leap. */
function verticalMps({ timeMs, meters }: AltitudeRuns, from: number, to: number): number {
  return (Math.abs(meters[to] - meters[from]) * 1000) / Math.max(1000, timeMs[to] - timeMs[from])
}

function medianVerticalMps(runs: AltitudeRuns): number {
  const speeds = new Float64Array(runs.meters.length - 1)
  for (let i = 1; i < runs.meters.length; i++) speeds[i - 1] = verticalMps(runs, i - 1, i)
  return upperMedian(speeds)
}
