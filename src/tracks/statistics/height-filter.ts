import type { HeightNodes } from './height-nodes.ts'

/** Assumptions about the terrain and the receiver of one track. */
export type HeightModel = {
  /** Standard deviation of the slope, in metres of height per metre of way. */
  slope: number
  /** Metres of way after which 1/e of a slope is left. */
  slopeMeters: number
  /** Standard deviation of the receiver's error in metres. */
  errorMeters: number
  /** Seconds after which 1/e of the receiver's error is left. */
  errorSec: number
}

/** State of the filter at each node after the altitudes up to it, and the leg that ends there. */
export type FilteredHeights = Record<(typeof FILTERED_COLUMNS)[number], Float64Array>

const FILTERED_COLUMNS = [
  // Expected height and slope, and covariances of height h, slope g and receiver error b.
  ...(['height', 'slope', 'hh', 'hg', 'hb', 'gg', 'gb'] as const),
  // Effects of the altitude: the gains, and the surprise divided by its variance; 0 without an altitude.
  ...(['gainH', 'gainG', 'gainB', 'surprise', 'precision'] as const),
  // Effects of the leg: metres risen per slope, what is left of slope and error, and the terrain's covariances.
  ...(['legReach', 'legKeep', 'legErrorKeep', 'legHH', 'legHG'] as const),
]

/** Returns columns for the states at `count` nodes. */
export function emptyFilteredHeights(count: number): FilteredHeights {
  return Object.fromEntries(FILTERED_COLUMNS.map((name) => [name, new Float64Array(count)])) as FilteredHeights
}

/**
 * Runs a Kalman filter over the nodes and returns the negative logarithm of the likelihood of their altitudes, up to
 * a constant. `slopeFactors` multiply the variance of the slope at each node. The states are written to `kept`.
 */
export function filterHeights(
  nodes: HeightNodes,
  model: HeightModel,
  slopeFactors?: Float64Array,
  kept?: FilteredHeights,
): number {
  const filter = new HeightFilter(nodes, model, slopeFactors)
  for (let k = 0; k < nodes.count; k++) {
    if (nodes.startsRun[k] === 1) filter.start(k)
    else filter.advance(k)
    filter.observe(k)
    if (kept !== undefined) filter.writeTo(kept, k)
  }
  return filter.cost
}

/** Error of a single altitude that does not last, as from rounding, in metres squared. */
const READING_VARIANCE = 0.15 ** 2
/** Before the first altitude of a run the height is unknown, in metres squared. */
const UNKNOWN_HEIGHT_VARIANCE = 1e4
/** An altitude is an outlier from 4.5 standard deviations and 10 m on; the barometer's own steps are smaller. */
const OUTLIER_VARIANCES = 4.5 ** 2
const OUTLIER_METERS = 10
/** After so many outliers in a row, the altitude has really changed. */
const MAX_OUTLIERS = 3
/** On shorter legs, in shares of `slopeMeters`, the exact term loses all digits; the first of its series does not. */
const SHORT_LEG = 0.01
/** Keeps the matrices regular on legs without way, in metres squared. */
const LEAST_VARIANCE = 1e-6

/**
 * A Kalman filter over the height, the slope and the error of the receiver, with altitude = height + error. The slope
 * over way and the error over time are Ornstein-Uhlenbeck processes; the height is the integral of the slope. While
 * nobody moves, all change is error.
 */
class HeightFilter {
  // Functions take the index of a node and return nothing: a number that is no integer, as a parameter or a result,
  // would need memory of its own at each of some hundred thousand calls. Fields that never hold an integer do not.
  readonly #nodes: HeightNodes
  readonly #model: HeightModel
  readonly #slopeVariance: number
  readonly #slopeFactors: Float64Array | undefined
  readonly #errorVariance: number
  #twiceCost = 0.1
  #height = 0.1
  #slope = 0.1
  #error = 0.1
  #hh = 0.1
  #hg = 0.1
  #hb = 0.1
  #gg = 0.1
  #gb = 0.1
  #bb = 0.1
  #gainH = 0.1
  #gainG = 0.1
  #gainB = 0.1
  #surprise = 0.1
  #precision = 0.1
  #legReach = 0.1
  #legKeep = 0.1
  #legErrorKeep = 0.1
  #legHH = 0.1
  #legHG = 0.1
  #legSec = -0.1
  #outliers = 0

  constructor(nodes: HeightNodes, model: HeightModel, slopeFactors?: Float64Array) {
    this.#nodes = nodes
    this.#model = model
    this.#slopeVariance = model.slope * model.slope
    this.#slopeFactors = slopeFactors
    this.#errorVariance = model.errorMeters * model.errorMeters
    this.#twiceCost = 0
  }

  /** The negative log-likelihood of the altitudes so far, without the first one of each run. */
  get cost(): number {
    return this.#twiceCost / 2
  }

  /** Begins a run at its first altitude. */
  start(k: number): void {
    const slopeVariance = this.#slopeVarianceAt(k)
    this.#height = this.#nodes.meters[k]
    this.#slope = this.#error = 0
    this.#hh = UNKNOWN_HEIGHT_VARIANCE
    this.#gg = slopeVariance
    this.#bb = this.#errorVariance
    this.#hg = this.#hb = this.#gb = 0
    this.#outliers = 0
  }

  #slopeVarianceAt(k: number): number {
    return this.#slopeFactors === undefined ? this.#slopeVariance : this.#slopeVariance * this.#slopeFactors[k]
  }

  /** Predicts the state at the end of the leg to a node. */
  advance(k: number): void {
    const { slopeMeters, errorSec } = this.#model
    const slopeVariance = this.#slopeVarianceAt(k)
    const seconds = this.#nodes.legSec[k]
    const meters = this.#nodes.legMeters[k]
    if (seconds !== this.#legSec) {
      this.#legSec = seconds
      this.#legErrorKeep = Math.exp(-seconds / errorSec)
    }
    const u = meters / slopeMeters
    const keep = Math.exp(-u)
    const errorKeep = this.#legErrorKeep
    const reach = slopeMeters * (1 - keep)
    const spread = u < SHORT_LEG ? (2 / 3) * u * u * u : 2 * u - 3 + 4 * keep - keep * keep
    const legHH = slopeVariance * slopeMeters * slopeMeters * spread + LEAST_VARIANCE
    const legHG = slopeVariance * reach * (1 - keep)
    const { hg, gg } = { hg: this.#hg, gg: this.#gg }
    this.#height += reach * this.#slope
    this.#slope *= keep
    this.#error *= errorKeep
    this.#hh += reach * (2 * hg + reach * gg) + legHH
    this.#hg = keep * (hg + reach * gg) + legHG
    this.#hb = errorKeep * (this.#hb + reach * this.#gb)
    this.#gg = keep * keep * gg + slopeVariance * (1 - keep * keep)
    this.#gb *= keep * errorKeep
    this.#bb = errorKeep * errorKeep * this.#bb + this.#errorVariance * (1 - errorKeep * errorKeep)
    this.#legReach = reach
    this.#legKeep = keep
    this.#legHH = legHH
    this.#legHG = legHG
  }

  /** Corrects the state by the altitude of a node, if it has one. */
  observe(k: number): void {
    const meters = this.#nodes.meters[k]
    this.#gainH = this.#gainG = this.#gainB = this.#surprise = this.#precision = 0
    if (Number.isNaN(meters)) return
    const v = meters - this.#height - this.#error
    const variance = this.#hh + 2 * this.#hb + this.#bb + READING_VARIANCE
    const isFar = v * v > OUTLIER_VARIANCES * variance && Math.abs(v) > OUTLIER_METERS
    if (isFar && this.#outliers < MAX_OUTLIERS) {
      this.#outliers++
      this.#twiceCost += Math.log(variance) + OUTLIER_VARIANCES
      return
    }
    this.#outliers = 0
    const precision = 1 / variance
    const gainH = (this.#hh + this.#hb) * precision
    const gainG = (this.#hg + this.#gb) * precision
    const gainB = (this.#hb + this.#bb) * precision
    this.#height += gainH * v
    this.#slope += gainG * v
    this.#error += gainB * v
    this.#hh -= gainH * gainH * variance
    this.#hg -= gainH * gainG * variance
    this.#hb -= gainH * gainB * variance
    this.#gg -= gainG * gainG * variance
    this.#gb -= gainG * gainB * variance
    this.#bb -= gainB * gainB * variance
    this.#gainH = gainH
    this.#gainG = gainG
    this.#gainB = gainB
    this.#surprise = v * precision
    this.#precision = precision
    if (this.#nodes.startsRun[k] === 0) this.#twiceCost += Math.log(variance) + v * v * precision
  }

  /** Writes the state at a node. */
  writeTo(kept: FilteredHeights, k: number): void {
    kept.height[k] = this.#height
    kept.slope[k] = this.#slope
    kept.hh[k] = this.#hh
    kept.hg[k] = this.#hg
    kept.hb[k] = this.#hb
    kept.gg[k] = this.#gg
    kept.gb[k] = this.#gb
    kept.gainH[k] = this.#gainH
    kept.gainG[k] = this.#gainG
    kept.gainB[k] = this.#gainB
    kept.surprise[k] = this.#surprise
    kept.precision[k] = this.#precision
    kept.legReach[k] = this.#legReach
    kept.legKeep[k] = this.#legKeep
    kept.legErrorKeep[k] = this.#legErrorKeep
    kept.legHH[k] = this.#legHH
    kept.legHG[k] = this.#legHG
  }
}
