import type { AltitudeRuns } from './altitudes.ts'
import type { HeightModel } from './height-filter.ts'
import { type FittedRuns, fitted } from './height-fit.ts'
import { type HeightNodes, pickNodes } from './height-nodes.ts'
import { type SmoothedHeights, smoothHeights } from './height-smoother.ts'
import type { Trace } from './trace.ts'

/**
 * `plain` sums every rise; `kalman` estimates the terrain under the errors of the receiver, and sums the rises that are
 * to be expected; `course` does so with the heights of the event's course as well, and `event` with those of phones
 * along it, too; `terrain` does so with the heights of a model of the terrain.
 */
type ElevationMethod = 'plain' | 'kalman' | 'course' | 'event' | 'terrain'

type PlainMethod = { method: 'plain'; noiseMeters: number | undefined }
/** `noiseMeters` is the standard deviation of the altitudes' error. */
type EstimatedMethod = { method: Exclude<ElevationMethod, 'plain'>; noiseMeters: number }

/**
 * The climb of a track up to each of some moments, between which it grows evenly. Runs of altitudes follow each other;
 * nothing is climbed between them.
 */
type ElevationProfile = (PlainMethod | EstimatedMethod) & {
  timeMs: Float64Array
  /** The height at each moment in metres. */
  meters: Float64Array
  /** Metres climbed and descended so far, both positive. */
  gainMeters: Float64Array
  lossMeters: Float64Array
}

/** Returns the climbs of a track, from few or exact altitudes as their sum, otherwise as the expected one. */
export function elevationProfile(runs: FittedRuns): ElevationProfile {
  const { noise, model } = fitted(runs).fit
  return model === undefined ? plainProfile(runs, noise?.noiseMeters) : expectedProfile(runs, model)
}

function plainProfile({ timeMs, meters, bounds }: AltitudeRuns, noiseMeters?: number): ElevationProfile {
  const rises = new Float64Array(meters.length)
  const falls = new Float64Array(meters.length)
  for (let run = 0; run + 1 < bounds.length; run++) {
    for (let i = bounds[run] + 1; i < bounds[run + 1]; i++) {
      rises[i] = Math.max(0, meters[i] - meters[i - 1])
      falls[i] = Math.max(0, meters[i - 1] - meters[i])
    }
  }
  return { method: 'plain', noiseMeters, timeMs, meters, gainMeters: soFar(rises), lossMeters: soFar(falls) }
}

/** Nodes closer than this tell no more about the terrain. */
const STEP_SEC = 10
/** On a track of weeks they are further apart, so that it is computed as fast as one of days. */
const MAX_STEPS = 15_000
/** Longer legs are divided, in steps. */
const MAX_LEG_STEPS = 1.5

/**
 * The mean of the heights alone would lose all climbs that are in doubt; expecting each rise with its doubt restores
 * them. The doubt is only about the terrain, so nothing is to be subtracted for noise.
 */
function expectedProfile(runs: AltitudeRuns, model: HeightModel): ElevationProfile {
  const stepSec = Math.max(STEP_SEC, recordedSec(runs) / MAX_STEPS)
  const nodes = pickNodes(runs, stepSec, MAX_LEG_STEPS * stepSec)
  const smoothed = smoothHeights(nodes, model)
  return { ...climbsOf(nodes, smoothed), method: runs.source ?? 'kalman', noiseMeters: model.errorMeters }
}

function climbsOf(nodes: HeightNodes, { height, rise, riseVariance }: SmoothedHeights) {
  const rises = new Float64Array(nodes.count)
  const falls = new Float64Array(nodes.count)
  for (let k = 0; k < nodes.count; k++) {
    if (nodes.startsRun[k] === 1) continue
    rises[k] = expectedPositive(rise[k], Math.sqrt(riseVariance[k]))
    falls[k] = Math.max(0, rises[k] - rise[k])
  }
  return {
    timeMs: nodes.timeMs,
    meters: height,
    gainMeters: soFar(rises),
    lossMeters: soFar(falls),
  }
}

function recordedSec({ timeMs, bounds }: AltitudeRuns): number {
  let ms = 0
  for (let run = 0; run + 1 < bounds.length; run++) ms += timeMs[bounds[run + 1] - 1] - timeMs[bounds[run]]
  return ms / 1000
}

/** Adds up values in place. */
function soFar(values: Float64Array): Float64Array {
  for (let i = 1; i < values.length; i++) values[i] += values[i - 1]
  return values
}

/** Returns the metres climbed and descended in all, both positive. */
export function totalClimb({ gainMeters, lossMeters }: ElevationProfile) {
  return { gainMeters: gainMeters.at(-1) ?? 0, lossMeters: lossMeters.at(-1) ?? 0 }
}

/** Metres climbed and descended up to each point of a trace; the last entries are the totals of the statistics. */
type CumulativeClimbs = { gainMeters: Float64Array; lossMeters: Float64Array }

/** Spreads the climbs over the points of their trace. */
export function cumulativeClimbs(trace: Trace, profile: ElevationProfile): CumulativeClimbs {
  const { timeMs, gainMeters, lossMeters } = profile
  return {
    gainMeters: interpolated(trace.timeMs, timeMs, gainMeters, 0),
    lossMeters: interpolated(trace.timeMs, timeMs, lossMeters, 0),
  }
}

/** Returns the heights at times within runs of altitudes, in metres. */
export function heightsAt(times: Float64Array, { timeMs, meters }: ElevationProfile): Float64Array {
  return interpolated(times, timeMs, meters, meters[0])
}

/** Returns the values at times in order, evenly between the known ones and constant after them. */
function interpolated(times: Float64Array, timeMs: Float64Array, values: Float64Array, before: number): Float64Array {
  const all = new Float64Array(times.length)
  let next = 0
  for (let i = 0; i < times.length; i++) {
    while (next < timeMs.length && timeMs[next] <= times[i]) next++
    if (next === 0) all[i] = before
    else if (next === timeMs.length) all[i] = values[next - 1]
    else {
      const share = (times[i] - timeMs[next - 1]) / (timeMs[next] - timeMs[next - 1])
      all[i] = values[next - 1] + share * (values[next] - values[next - 1])
    }
  }
  return all
}

/** Returns the density of the standard normal distribution. */
function normalDensity(x: number): number {
  return Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)
}

/**
 * Returns the probability of a standard normal value below `x`, with an absolute error below 7.5e-8 (Zelen and Severo
 * in Abramowitz and Stegun, "Handbook of Mathematical Functions", 26.2.17).
 */
function normalProbability(x: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(x))
  const series = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
  const above = normalDensity(x) * series
  return x < 0 ? above : 1 - above
}

/** Below this, in metres, the doubt no longer adds to a rise. */
const CERTAIN = 1e-9

/** Returns the expected value of max(0, X) for a normal X with a mean and a standard deviation. */
export function expectedPositive(mean: number, deviation: number): number {
  if (deviation < CERTAIN) return Math.max(0, mean)
  const x = mean / deviation
  return Math.max(0, mean * normalProbability(x) + deviation * normalDensity(x))
}

/** The lowest and the highest value that a figure is likely to have. */
export type Interval = [low: number, high: number]

/**
 * Doubt about the estimated climb: a share of it, because devices and models differ, metres for each kilometre of way
 * and metre of noise, because errors look like hills on flat ground, and metres of any climb, because devices count
 * from some metres on, and in whole ones. The first two were chosen together, on eight recordings, so that the
 * intervals hold the total of the device, the last one on 27; docs/accuracy.md measures that they do.
 */
const SHARE_OF_CLIMB = 0.075
const METERS_PER_NOISY_KM = 0.25
const METERS_OF_ANY_CLIMB = 4

/** Standard deviations on either side that hold 95 % of normal values. */
const DEVIATIONS_OF_95_PERCENT = 1.96

/**
 * Returns the interval in metres that holds a climb with a probability of 95 %, never below 0. `noiseMeters` is the
 * standard deviation of the altitudes' error, `wayMeters` the way over which the climb was estimated.
 */
export function climbInterval(climbMeters: number, noiseMeters: number, wayMeters: number): Interval {
  const noisyMeters = (METERS_PER_NOISY_KM * noiseMeters * wayMeters) / 1000
  const deviation = Math.hypot(SHARE_OF_CLIMB * climbMeters, noisyMeters, METERS_OF_ANY_CLIMB)
  const half = DEVIATIONS_OF_95_PERCENT * deviation
  return [Math.max(0, climbMeters - half), climbMeters + half]
}
