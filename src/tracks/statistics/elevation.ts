import { type AltitudeRuns, altitudeMeans, altitudeNoise, MIN_ALTITUDES } from './altitudes.ts'
import type { Trace } from './trace.ts'

type Elevation = { gainMeters: number; lossMeters: number; method: ElevationMethod; noiseMeters?: number }

/**
 * `plain` sums every rise; the others smooth over a window in seconds and count reversals of at least a number of
 * metres.
 */
export type ElevationMethod = 'plain' | '10s-3m' | '30s-5m' | '30s-10m'

type Smoothing = { method: ElevationMethod; noiseBelowMeters: number; windowSec: number; reversalMeters: number }

/**
 * Measured in docs/accuracy.md on recordings thinned to 1 to 30 s and with noise added: no single window and reversal
 * suits all spacings and noises, but this selection by noise does. Devices show at least 0.2 m, so altitudes below 0.15
 * m are smoothed or synthetic, and their plain sum is exact. GoldenCheetah counts reversals of 3 m, sports-lib of 2 m
 * after smoothing, BRouter of 10 m.
 */
const SMOOTHINGS: readonly Smoothing[] = [
  { method: '10s-3m', noiseBelowMeters: 1.4, windowSec: 10, reversalMeters: 3 },
  { method: '30s-5m', noiseBelowMeters: 2.4, windowSec: 30, reversalMeters: 5 },
  { method: '30s-10m', noiseBelowMeters: Number.POSITIVE_INFINITY, windowSec: 30, reversalMeters: 10 },
]
const NOISELESS_METERS = 0.15

/** The altitudes in which climbs are counted, parallel to the times of their runs. */
type ElevationProfile = {
  meters: Float64Array
  method: ElevationMethod
  noiseMeters?: number
  /** A reversal counts once it is this far from the last extreme. */
  reversalMeters: number
}

/**
 * Returns the metres climbed and descended, both positive, over all runs; `medianMps` is the median speed of the legs.
 */
export function elevationGain(runs: AltitudeRuns, medianMps: number): Elevation {
  const profile = elevationProfile(runs, medianMps)
  let gainMeters = 0
  let lossMeters = 0
  visitClimbs(profile, runs.bounds, (from, to) => {
    const meters = profile.meters[to] - profile.meters[from]
    if (meters > 0) gainMeters += meters
    else lossMeters -= meters
  })
  return { gainMeters, lossMeters, method: profile.method, noiseMeters: profile.noiseMeters }
}

/** Smooths the altitudes according to their noise; `medianMps` is the median speed of the legs. */
export function elevationProfile(runs: AltitudeRuns, medianMps: number): ElevationProfile {
  const enough = runs.meters.length >= MIN_ALTITUDES
  const noiseMeters = enough ? altitudeNoise(runs, medianMps, NOISELESS_METERS) : undefined
  if (noiseMeters === undefined || noiseMeters < NOISELESS_METERS) {
    return { meters: runs.meters, method: 'plain', noiseMeters, reversalMeters: 0 }
  }
  const smoothing = SMOOTHINGS.find(({ noiseBelowMeters }) => noiseMeters < noiseBelowMeters) ?? SMOOTHINGS[2]
  const meters = altitudeMeans(runs, smoothing.windowSec)
  return { meters, method: smoothing.method, noiseMeters, reversalMeters: smoothing.reversalMeters }
}

/**
 * Calls `visit` with the indexes of the first and last altitude of each rise and fall of each run. A reversal counts
 * once it is `reversalMeters` away from the last extreme, and then in full. So no part of a slow climb is lost, as
 * would happen if small steps were ignored one by one.
 */
export function visitClimbs(
  { meters, reversalMeters }: Pick<ElevationProfile, 'meters' | 'reversalMeters'>,
  bounds: Int32Array,
  visit: (from: number, to: number) => void,
): void {
  const reached = (rise: number) => rise > 0 && rise >= reversalMeters
  for (let run = 0; run + 1 < bounds.length; run++) {
    let direction = 0
    let turn = bounds[run]
    let [extreme, low, high] = [turn, turn, turn]
    for (let i = turn; i < bounds[run + 1]; i++) {
      const altitude = meters[i]
      if (direction === 0) {
        if (altitude < meters[low]) low = i
        if (altitude > meters[high]) high = i
        if (!reached(altitude - meters[low]) && !reached(meters[high] - altitude)) continue
        direction = reached(altitude - meters[low]) ? 1 : -1
        turn = direction === 1 ? low : high
        extreme = i
      } else if ((altitude - meters[extreme]) * direction > 0) {
        extreme = i
      } else if (reached((meters[extreme] - altitude) * direction)) {
        visit(turn, extreme)
        turn = extreme
        extreme = i
        direction = -direction
      }
    }
    if (extreme !== turn) visit(turn, extreme)
  }
}

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
