import { upperMedian } from '../trace/median.ts'
import type { AltitudeRuns } from './altitude-runs.ts'

/** The lag, before and after, for which noise is stated; receiver errors stay correlated about this long. */
const LAG_SEC = 15
const MIN_LAG_SEC = 5

/**
 * A bike crosses whole hollows within 30 s, so the road would look like noise. Slopes are assumed to be even over this
 * many metres. Measured in docs/accuracy.md: without it a hilly ride loses a quarter of its climb.
 */
const EVEN_SLOPE_METERS = 45

/**
 * Scales the median of absolute deviations to an estimate of sigma for normal errors (Rousseeuw and Croux, JASA 88,
 * 1993).
 */
const SIGMA_PER_MEDIAN = 1.4826

/**
 * Returns the noise of altitudes in metres: the median distance of an altitude from the mean of those some time before
 * and after it, stated for 15 s. Fast tracks are measured over a shorter lag, and the result is scaled by the square
 * root of time, as a random walk grows. Undefined when no run is long enough. Below `noiselessMeters` it is measured
 * over 15 s only, because over less the steps of a coarse altimeter are mostly 0.
 */
export function altitudeNoise(runs: AltitudeRuns, medianMps: number, noiselessMeters: number): number | undefined {
  const noiseMeters = deviation(runs, LAG_SEC)
  const lagSec = Math.max(MIN_LAG_SEC, EVEN_SLOPE_METERS / medianMps, meanIntervalSec(runs))
  if (noiseMeters === undefined || noiseMeters < noiselessMeters || !(lagSec < LAG_SEC)) return noiseMeters
  const short = deviation(runs, lagSec) ?? noiseMeters
  return Math.max(noiselessMeters, short * Math.sqrt(LAG_SEC / lagSec))
}

function meanIntervalSec({ timeMs }: AltitudeRuns): number {
  return (timeMs[timeMs.length - 1] - timeMs[0]) / 1000 / (timeMs.length - 1)
}

function deviation({ timeMs, meters, bounds }: AltitudeRuns, lagSec: number): number | undefined {
  const deviations = new Float64Array(meters.length)
  let count = 0
  for (let run = 0; run + 1 < bounds.length; run++) {
    const first = bounds[run]
    const last = bounds[run + 1] - 1
    let before = first
    let after = first
    for (let i = first; i <= last; i++) {
      const fromMs = timeMs[i] - lagSec * 1000
      const toMs = timeMs[i] + lagSec * 1000
      if (fromMs < timeMs[first] || toMs > timeMs[last]) continue
      while (timeMs[before + 1] <= fromMs) before++
      while (timeMs[after] < toMs) after++
      const even = (interpolate(timeMs, meters, before, fromMs) + interpolate(timeMs, meters, after - 1, toMs)) / 2
      deviations[count++] = Math.abs(meters[i] - even)
    }
  }
  return count === 0 ? undefined : SIGMA_PER_MEDIAN * upperMedian(deviations.subarray(0, count))
}

/** Returns the altitude at `atMs`, which is between the times of `index` and the altitude after it. */
function interpolate(timeMs: Float64Array, meters: Float64Array, index: number, atMs: number): number {
  const share = (atMs - timeMs[index]) / (timeMs[index + 1] - timeMs[index])
  return meters[index] + share * (meters[index + 1] - meters[index])
}
