import { LEG_KINDS } from './legs.ts'
import { DEVIATIONS_PER_MEDIAN, type Trace, upperMedian } from './trace.ts'

/**
 * The known altitudes of a trace, divided into runs between pauses and stops. A climb is never counted from one run to
 * the next: a lift taken during a pause is not a climb.
 */
export type AltitudeRuns = {
  timeMs: Float64Array
  meters: Float64Array
  /** Metres travelled up to each altitude. */
  travelledMeters: Float64Array
  /** Index of the first altitude of each run; the last entry is the number of altitudes. */
  bounds: Int32Array
  /** Set if heights of the course are part of the altitudes, also those of other phones along it, or of the terrain. */
  source?: 'course' | 'event' | 'terrain'
}

/**
 * No activity on earth is above the edge of space (Kármán line, FAI Sporting Code, section 8) or as far below the
 * ground; a value beyond is not a measurement, and sums of such values would overflow.
 */
const MAX_ALTITUDE_METERS = 100_000

/** With fewer altitudes there is nothing to smooth; smoothing would erase real climbs (gpx.studio issue 102). */
export const MIN_ALTITUDES = 30

/** Collects the altitudes of a trace; `kinds` comes from `legKinds`, and `legMeters` from `legDistances`. */
export function altitudeRuns(trace: Trace, kinds: Uint8Array, legMeters: Float64Array): AltitudeRuns {
  const known = countKnown(trace)
  const timeMs = new Float64Array(known)
  const meters = new Float64Array(known)
  const travelledMeters = new Float64Array(known)
  const bounds: number[] = [0]
  let count = 0
  let travelled = 0
  for (let i = 0; i < trace.count; i++) {
    if (kinds[i] === LEG_KINDS.travelled) travelled += legMeters[i]
    const breaks = kinds[i] === LEG_KINDS.paused || kinds[i] === LEG_KINDS.stopped
    if (breaks && count > bounds[bounds.length - 1]) bounds.push(count)
    if (!isKnown(trace.altitude[i])) continue
    timeMs[count] = trace.timeMs[i]
    travelledMeters[count] = travelled
    meters[count++] = trace.altitude[i]
  }
  if (count > bounds[bounds.length - 1]) bounds.push(count)
  return { timeMs, meters, travelledMeters, bounds: Int32Array.from(bounds) }
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
  const travelledMeters = new Float64Array(runs.meters.length)
  const bounds = new Int32Array(runs.bounds.length)
  let count = 0
  for (let run = 0; run + 1 < runs.bounds.length; run++) {
    const end = runs.bounds[run + 1]
    for (let i = runs.bounds[run], last = i; i < end; last = i++) {
      if (verticalMps(runs, last, i) > limitMps) i = returnFromSpike(runs, limitMps, last, i, end)
      timeMs[count] = runs.timeMs[i]
      travelledMeters[count] = runs.travelledMeters[i]
      meters[count++] = runs.meters[i]
    }
    bounds[run + 1] = count
  }
  return count === runs.meters.length
    ? runs
    : {
        timeMs: timeMs.subarray(0, count),
        meters: meters.subarray(0, count),
        travelledMeters: travelledMeters.subarray(0, count),
        bounds,
      }
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

/** The lag, before and after, over which noise is measured; receiver errors stay correlated about this long. */
const LAG_SEC = 15

/**
 * Returns the noise of altitudes in metres: the median distance of an altitude from the mean of those `lagSec` before
 * and after it, which is 15 s, or the usual interval if that is longer. Undefined when no run is long enough.
 */
export function altitudeNoise(runs: AltitudeRuns): { noiseMeters: number; lagSec: number } | undefined {
  const lagSec = Math.max(LAG_SEC, usualIntervalSec(runs))
  const noiseMeters = deviation(runs, lagSec)
  return noiseMeters === undefined ? undefined : { noiseMeters, lagSec }
}

function usualIntervalSec({ timeMs }: AltitudeRuns): number {
  const seconds = new Float64Array(timeMs.length - 1)
  for (let i = 1; i < timeMs.length; i++) seconds[i - 1] = (timeMs[i] - timeMs[i - 1]) / 1000
  return upperMedian(seconds)
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
  return count === 0 ? undefined : DEVIATIONS_PER_MEDIAN * upperMedian(deviations.subarray(0, count))
}

/** Returns the altitude at `atMs`, which is between the times of `index` and the altitude after it. */
function interpolate(timeMs: Float64Array, meters: Float64Array, index: number, atMs: number): number {
  const share = (atMs - timeMs[index]) / (timeMs[index + 1] - timeMs[index])
  return meters[index] + share * (meters[index + 1] - meters[index])
}
