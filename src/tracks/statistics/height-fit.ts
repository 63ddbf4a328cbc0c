import { type AltitudeRuns, altitudeNoise, MIN_ALTITUDES } from './altitudes.ts'
import { filterHeights, type HeightModel } from './height-filter.ts'
import { type HeightNodes, pickNodes, sampleNodes } from './height-nodes.ts'
import { DEVIATIONS_PER_MEDIAN, upperMedian } from './trace.ts'

type Parameter = keyof HeightModel
const PARAMETERS = ['slope', 'slopeMeters', 'errorMeters', 'errorSec'] as const satisfies readonly Parameter[]

/**
 * The usual value of each parameter, and how far the logarithm of one strays from it: hills of a few percent that last
 * some hundred metres, and receivers with an error of a few metres that lasts half a minute. Most recordings that these
 * were chosen on are not among those of docs/accuracy.md.
 */
const USUAL: Record<Parameter, { value: number; logDeviation: number }> = {
  slope: { value: 0.035, logDeviation: 0.8 },
  slopeMeters: { value: 270, logDeviation: 0.3 },
  errorMeters: { value: 2, logDeviation: 0.8 },
  errorSec: { value: 25, logDeviation: 0.4 },
}

/**
 * Over nodes closer than this, phones that smooth their altitudes look more exact than they are; but the small error
 * of a barometer only shows over less.
 */
const COARSE_SEC = 20
const FINE_SEC = 10
const FINE_BELOW_METERS = 1.6

/** More nodes would tell no more about the parameters; of longer tracks, samples are taken from all over them. */
const MAX_NODES = 900
const SAMPLES = 5

/** Fewer evaluations end far from the lowest value. */
const SEARCH = { step: 0.7, maxEvaluations: 100, spread: 0.05 }

/**
 * Returns the most probable parameters of a track, given its altitudes and what is usual. `noiseMeters` is the noise by
 * `altitudeNoise` over `lagSec`.
 */
function fitHeightModel(runs: AltitudeRuns, { noiseMeters, lagSec }: AltitudeNoise): HeightModel {
  const limit = { lagSec, noiseMeters: Math.max(noiseMeters * NOISE_TOLERANCE, UNDISPUTED_NOISE_METERS) }
  const coarse = sampled(pickNodes(runs, COARSE_SEC))
  const errorMeters = typicalError(coarse)
  const starts: HeightModel[] = [
    { ...startModel(0.035, 270), errorMeters, errorSec: 25 },
    { ...startModel(0.06, 200), errorMeters: Math.max(0.1, errorMeters / 2), errorSec: 20 },
  ]
  const model = bestFit(coarse, limit, starts)
  if (model.errorMeters >= FINE_BELOW_METERS) return model
  return bestFit(sampled(pickNodes(runs, FINE_SEC)), limit, [model])
}

/** The noise that altitudes show, and the model that fits them if climbs are to be estimated. */
type HeightFit = { noise: AltitudeNoise | undefined; model: HeightModel | undefined }

/** Altitudes, with their fit once there is one. */
export type FittedRuns = AltitudeRuns & { fit?: HeightFit }

/**
 * Devices show a noise of at least 0.2 m. Altitudes with less are smoothed or synthetic, and their plain sum is exact.
 */
const NOISELESS_METERS = 0.15

/** Fits a model to altitudes, unless they have one; few or exact ones get none. */
export function fitted(runs: FittedRuns): AltitudeRuns & { fit: HeightFit } {
  const { fit } = runs
  if (fit !== undefined) return { ...runs, fit }
  const noise = runs.meters.length < MIN_ALTITUDES ? undefined : altitudeNoise(runs)
  const isNoisy = noise !== undefined && noise.noiseMeters >= NOISELESS_METERS
  return { ...runs, fit: { noise, model: isNoisy ? fitHeightModel(runs, noise) : undefined } }
}

/** The noise of altitudes: their typical distance from the mean of those `lagSec` before and after. */
type AltitudeNoise = { noiseMeters: number; lagSec: number }

const startModel = (slope: number, slopeMeters: number) => ({ slope, slopeMeters })

function sampled(nodes: HeightNodes): HeightNodes {
  return nodes.count > MAX_NODES ? sampleNodes(nodes, SAMPLES, MAX_NODES / SAMPLES) : nodes
}

function bestFit(nodes: HeightNodes, limit: AltitudeNoise, starts: readonly HeightModel[]): HeightModel {
  const costAt = (logs: Float64Array) => {
    if (logs.some((log) => !(Math.abs(log) < MAX_LOG))) return Number.MAX_VALUE
    const model = modelAt(logs)
    return filterHeights(nodes, model) + unusualCost(logs) + noiseCost(model, limit)
  }
  const fits = starts.map((start) =>
    findLowest(costAt, { ...SEARCH, start: PARAMETERS.map((name) => Math.log(start[name])) }),
  )
  return modelAt(fits.reduce((best, fit) => (fit.value < best.value ? fit : best)).at)
}

/** Parameters beyond a hundred thousand, or below the inverse of it, are not of this earth. */
const MAX_LOG = Math.log(1e5)

function modelAt(logs: Float64Array): HeightModel {
  const [slope, slopeMeters, errorMeters, errorSec] = logs.map(Math.exp)
  return { slope, slopeMeters, errorMeters, errorSec }
}

function unusualCost(logs: Float64Array): number {
  let cost = 0
  for (const [i, name] of PARAMETERS.entries()) {
    cost += ((logs[i] - Math.log(USUAL[name].value)) / USUAL[name].logDeviation) ** 2 / 2
  }
  return cost
}

/**
 * Hills that follow each other quickly look like the error of a receiver over nodes of 20 s. Over the points themselves
 * they do not: a model whose error would make them noisier than they are is hardly probable. Tolerance and deviation
 * leave room for chance; below the undisputed noise, the two cannot be distinguished, and little is at stake.
 */
const NOISE_TOLERANCE = 1.15
const NOISE_LOG_DEVIATION = 0.04
const UNDISPUTED_NOISE_METERS = 1.2

function noiseCost({ errorMeters, errorSec }: HeightModel, limit: AltitudeNoise): number {
  const keep = Math.exp(-limit.lagSec / errorSec)
  const expectedMeters = errorMeters * Math.sqrt(1 + (1 + keep * keep) / 2 - 2 * keep)
  const excess = Math.log(expectedMeters / limit.noiseMeters)
  return excess > 0 ? (excess / NOISE_LOG_DEVIATION) ** 2 / 2 : 0
}

const LEAST_ERROR_METERS = 0.05

/** Returns the receiver's error if all bends of the height were error: the start of the search. */
function typicalError({ count, meters, legSec, startsRun }: HeightNodes): number {
  const errors = new Float64Array(count)
  let found = 0
  for (let k = 2; k < count; k++) {
    if (startsRun[k] === 1 || startsRun[k - 1] === 1) continue
    const bend = Math.abs(meters[k] - 2 * meters[k - 1] + meters[k - 2])
    const keep = Math.exp(-(legSec[k] + legSec[k - 1]) / 2 / USUAL.errorSec.value)
    errors[found++] = bend / Math.sqrt(4 * (1 - keep))
  }
  if (found === 0) return USUAL.errorMeters.value
  return Math.max(LEAST_ERROR_METERS, DEVIATIONS_PER_MEDIAN * upperMedian(errors.subarray(0, found)))
}

/** Start and end of a search: the first corner, the length of the edges, and when to stop. */
type Search = { start: readonly number[]; step: number; maxEvaluations: number; spread: number }

/** A place and its value. */
type Lowest = { at: Float64Array; value: number }

/**
 * Returns the lowest value found by the simplex method of Nelder and Mead (The Computer Journal 7, 1965): reflects by
 * 1, expands by 2, contracts and shrinks by a half. Ends when the values of the simplex are within `spread`.
 */
export function findLowest(
  valueAt: (at: Float64Array) => number,
  { start, step, maxEvaluations, spread }: Search,
): Lowest {
  let evaluations = 0
  const evaluate = (at: Float64Array): Lowest => {
    evaluations++
    return { at, value: valueAt(at) }
  }
  const corners = [evaluate(Float64Array.from(start))]
  for (let axis = 0; axis < start.length; axis++) {
    const at = Float64Array.from(start)
    at[axis] += step
    corners.push(evaluate(at))
  }
  const last = start.length
  while (evaluations < maxEvaluations) {
    corners.sort((a, b) => a.value - b.value)
    if (corners[last].value - corners[0].value < spread) break
    const worst = corners[last]
    const center = centerOf(corners, last)
    const along = (share: number) => evaluate(center.map((value, axis) => value + share * (value - worst.at[axis])))
    const reflected = along(1)
    if (reflected.value < corners[0].value) {
      const expanded = along(2)
      corners[last] = expanded.value < reflected.value ? expanded : reflected
    } else if (reflected.value < corners[last - 1].value) {
      corners[last] = reflected
    } else {
      const contracted = along(reflected.value < worst.value ? 0.5 : -0.5)
      if (contracted.value < Math.min(reflected.value, worst.value)) corners[last] = contracted
      else
        for (let i = 1; i <= last; i++)
          corners[i] = evaluate(corners[i].at.map((value, axis) => (value + corners[0].at[axis]) / 2))
    }
  }
  return corners.reduce((best, corner) => (corner.value < best.value ? corner : best))
}

function centerOf(corners: readonly Lowest[], count: number): Float64Array {
  const center = new Float64Array(count)
  for (let i = 0; i < count; i++) for (let axis = 0; axis < count; axis++) center[axis] += corners[i].at[axis] / count
  return center
}
