import { LEG_KINDS } from './legs.ts'
import { type Trace, upperMedian } from './trace.ts'

/**
 * The known altitudes of a trace, divided into runs between pauses and stops. A climb is never counted from one run to
 * the next: a lift taken during a pause is not a climb.
 */
export type AltitudeRuns = {
  timeMs: Float64Array
  meters: Float64Array
  /** Index of the first altitude of each run; the last entry is the number of altitudes. */
  bounds: Int32Array
}

/**
 * No activity on earth is above the edge of space (Kármán line, FAI Sporting Code, section 8) or as far below the
 * ground; a value beyond is not a measurement, and sums of such values would overflow.
 */
const MAX_ALTITUDE_METERS = 100_000

/** With fewer altitudes there is nothing to smooth; smoothing would erase real climbs (gpx.studio issue 102). */
export const MIN_ALTITUDES = 30

/** Collects the altitudes of a trace; `kinds` comes from `legKinds`. */
export function altitudeRuns(trace: Trace, kinds: Uint8Array): AltitudeRuns {
  const known = countKnown(trace)
  const timeMs = new Float64Array(known)
  const meters = new Float64Array(known)
  const bounds: number[] = [0]
  let count = 0
  for (let i = 0; i < trace.count; i++) {
    const breaks = kinds[i] === LEG_KINDS.paused || kinds[i] === LEG_KINDS.stopped
    if (breaks && count > bounds[bounds.length - 1]) bounds.push(count)
    if (!isKnown(trace.altitude[i])) continue
    timeMs[count] = trace.timeMs[i]
    meters[count++] = trace.altitude[i]
  }
  if (count > bounds[bounds.length - 1]) bounds.push(count)
  return { timeMs, meters, bounds: Int32Array.from(bounds) }
}

function isKnown(meters: number): boolean {
  return Math.abs(meters) <= MAX_ALTITUDE_METERS
}

function countKnown(trace: Trace): number {
  let count = 0
  for (let i = 0; i < trace.count; i++) if (isKnown(trace.altitude[i])) count++
  return count
}

/** Returns the number of points with an altitude, including impossible ones. */
export function countAltitudes(trace: Trace): number {
  let count = 0
  for (let i = 0; i < trace.count; i++) if (!Number.isNaN(trace.altitude[i])) count++
  return count
}

/** No one climbs or falls faster than this, in metres per second: a bike at 30 m/s on a slope of 20 % falls at 6. */
const CAP_MPS = 10

/** As for positions: altitudes that move fast throughout are plausible as a whole. */
const MEDIANS_PLAUSIBLE = 3

/** Maximum number of altitudes in a spike; the same as for positions. */
const LOOK_AHEAD = 30

/**
 * Leaves out altitudes that leap away and back faster than anyone climbs or falls, such as from a barometer that starts
 * with a wrong reference, or from a gust on its opening. A leap that does not come back stays. Tracks with few
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

/**
 * Returns the mean of the altitudes at most half of `windowSec` away from each altitude, in metres, within its run. At
 * the ends of a run the window is cut off on one side: shrinking it on both keeps the noise of a recording's first
 * seconds, which is the worst.
 */
export function altitudeMeans({ timeMs, meters, bounds }: AltitudeRuns, windowSec: number): Float64Array {
  const halfMs = (windowSec * 1000) / 2
  const means = new Float64Array(meters.length)
  for (let run = 0; run + 1 < bounds.length; run++) {
    const start = bounds[run]
    const end = bounds[run + 1]
    // Sums relative to the first altitude stay small, so subtracting old altitudes loses no digits.
    const base = meters[start]
    let sum = 0
    let first = start
    let next = start
    for (let i = start; i < end; i++) {
      while (next < end && timeMs[next] <= timeMs[i] + halfMs) sum += meters[next++] - base
      while (timeMs[first] < timeMs[i] - halfMs) sum -= meters[first++] - base
      means[i] = base + sum / (next - first)
    }
  }
  return means
}
