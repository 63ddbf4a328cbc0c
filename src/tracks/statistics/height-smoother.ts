import { emptyFilteredHeights, type FilteredHeights, filterHeights, type HeightModel } from './height-filter.ts'
import type { HeightNodes } from './height-nodes.ts'

/** Estimates from all altitudes of a track for each node, and for the leg that ends there. */
export type SmoothedHeights = {
  /** Expected height in metres. */
  height: Float64Array
  /** Expected square of the slope. */
  slopeSquared: Float64Array
  /** Expected rise of the leg in metres; 0 at the first node of a run. */
  rise: Float64Array
  riseVariance: Float64Array
}

/** Hills change the slopes expected around them, which change the hills: after so many rounds, no longer much. */
const LOCAL_ROUNDS = 3

/**
 * Returns the most probable heights of a track. Slopes may vary more in one part of it than in another.
 */
export function smoothHeights(nodes: HeightNodes, model: HeightModel): SmoothedHeights {
  const filtered = emptyFilteredHeights(nodes.count)
  const smoothed: SmoothedHeights = {
    height: new Float64Array(nodes.count),
    slopeSquared: new Float64Array(nodes.count),
    rise: new Float64Array(nodes.count),
    riseVariance: new Float64Array(nodes.count),
  }
  filterHeights(nodes, model, undefined, filtered)
  smoothBackwards(nodes, filtered, smoothed)
  for (let round = 0; round < LOCAL_ROUNDS; round++) {
    filterHeights(nodes, model, slopeFactors(nodes, smoothed.slopeSquared, model.slope ** 2), filtered)
    smoothBackwards(nodes, filtered, smoothed)
  }
  return smoothed
}

function smoothBackwards(
  { count, startsRun }: HeightNodes,
  filtered: FilteredHeights,
  smoothed: SmoothedHeights,
): void {
  const later = new LaterAltitudes()
  for (let k = count - 1; k >= 0; k--) {
    if (k + 1 < count && startsRun[k + 1] === 0) {
      later.describeLeg(filtered, k + 1, smoothed)
      later.passLeg(filtered, k + 1)
    } else {
      later.forget()
    }
    later.describeNode(filtered, k, smoothed)
    if (filtered.precision[k] > 0) later.passAltitude(filtered, k)
  }
}

/**
 * Information of later altitudes about the state at a node: the vector and the matrix of the disturbance smoother (de
 * Jong, "Smoothing and interpolation with the state-space model", JASA 84, 1989). Unlike the Rauch-Tung-Striebel form,
 * it inverts no matrix, which would lose all digits where height and error are hard to tell apart.
 */
class LaterAltitudes {
  #h = 0.1
  #g = 0.1
  #b = 0.1
  #hh = 0.1
  #hg = 0.1
  #hb = 0.1
  #gg = 0.1
  #gb = 0.1
  #bb = 0.1

  forget(): void {
    this.#h = this.#g = this.#b = 0
    this.#hh = this.#hg = this.#hb = this.#gg = this.#gb = this.#bb = 0
  }

  /** Writes the rise of the leg to node `k`, from what is known at its start, and from later altitudes at its end. */
  describeLeg(filtered: FilteredHeights, k: number, smoothed: SmoothedHeights): void {
    const reach = filtered.legReach[k]
    const gg = filtered.gg[k - 1]
    // Covariances of the rise with height, slope and error at the end of the leg.
    const withH = reach * (filtered.hg[k - 1] + reach * gg) + filtered.legHH[k]
    const withG = reach * filtered.legKeep[k] * gg + filtered.legHG[k]
    const withB = reach * filtered.legErrorKeep[k] * filtered.gb[k - 1]
    const variance = reach * reach * gg + filtered.legHH[k] - this.#knownOf(withH, withG, withB)
    smoothed.rise[k] = reach * filtered.slope[k - 1] + withH * this.#h + withG * this.#g + withB * this.#b
    smoothed.riseVariance[k] = Math.max(0, variance)
  }

  /** Writes height and slope at node `k`, after its own altitude. */
  describeNode(filtered: FilteredHeights, k: number, smoothed: SmoothedHeights): void {
    const hg = filtered.hg[k]
    const gg = filtered.gg[k]
    const gb = filtered.gb[k]
    const slope = filtered.slope[k] + hg * this.#h + gg * this.#g + gb * this.#b
    smoothed.height[k] = filtered.height[k] + filtered.hh[k] * this.#h + hg * this.#g + filtered.hb[k] * this.#b
    smoothed.slopeSquared[k] = slope * slope + Math.max(0, gg - this.#knownOf(hg, gg, gb))
  }

  /** Returns the part of a variance that later altitudes remove, from the covariances with the state. */
  #knownOf(h: number, g: number, b: number): number {
    const mixed = h * g * this.#hg + h * b * this.#hb + g * b * this.#gb
    return h * h * this.#hh + g * g * this.#gg + b * b * this.#bb + 2 * mixed
  }

  /** Moves from the end of the leg to node `k` back to its start. */
  passLeg(filtered: FilteredHeights, k: number): void {
    const reach = filtered.legReach[k]
    const keep = filtered.legKeep[k]
    const errorKeep = filtered.legErrorKeep[k]
    const hg = reach * this.#hh + keep * this.#hg
    this.#g = reach * this.#h + keep * this.#g
    this.#b *= errorKeep
    this.#gg = reach * hg + keep * (reach * this.#hg + keep * this.#gg)
    this.#gb = errorKeep * (reach * this.#hb + keep * this.#gb)
    this.#hb *= errorKeep
    this.#bb *= errorKeep * errorKeep
    this.#hg = hg
  }

  /** Adds the altitude of node `k` to the later ones. */
  passAltitude(filtered: FilteredHeights, k: number): void {
    const gainH = filtered.gainH[k]
    const gainG = filtered.gainG[k]
    const gainB = filtered.gainB[k]
    const byH = this.#hh * gainH + this.#hg * gainG + this.#hb * gainB
    const byG = this.#hg * gainH + this.#gg * gainG + this.#gb * gainB
    const byB = this.#hb * gainH + this.#gb * gainG + this.#bb * gainB
    const precision = gainH * byH + gainG * byG + gainB * byB + filtered.precision[k]
    const surprise = filtered.surprise[k] - (gainH * this.#h + gainG * this.#g + gainB * this.#b)
    this.#h += surprise
    this.#b += surprise
    this.#hh += precision - 2 * byH
    this.#hb += precision - byH - byB
    this.#bb += precision - 2 * byB
    this.#hg -= byG
    this.#gb -= byG
  }
}

/** The way over which slopes are compared: after this, a slope counts by 1/e. */
const LOCAL_METERS = 1200
/** Weight of the whole track's slope, as metres of way around a node. */
const WHOLE_TRACK_METERS = 250

/**
 * Returns by how much slopes around each node exceed those of the whole track, as a factor of their variance: a flat
 * valley before a pass is not the pass. `slopeSquared` is the expected square of the slope at each node.
 */
function slopeFactors(nodes: HeightNodes, slopeSquared: Float64Array, variance: number): Float64Array {
  const { count, startsRun } = nodes
  const factors = new Float64Array(count)
  const metersBefore = new Float64Array(count)
  const before = new FadingSum()
  for (let k = 0; k < count; k++) {
    if (startsRun[k] === 0) before.addLeg(nodes.legMeters[k], (slopeSquared[k - 1] + slopeSquared[k]) / 2)
    factors[k] = before.sum
    metersBefore[k] = before.meters
  }
  const after = new FadingSum()
  for (let k = count - 1; k >= 0; k--) {
    const meters = metersBefore[k] + after.meters + WHOLE_TRACK_METERS
    factors[k] = ((factors[k] + after.sum) / variance + WHOLE_TRACK_METERS) / meters
    if (startsRun[k] === 0) after.addLeg(nodes.legMeters[k], (slopeSquared[k - 1] + slopeSquared[k]) / 2)
  }
  return factors
}

/** A sum over legs in which each counts less the farther away it is; from the middle of a leg. */
class FadingSum {
  meters = 0
  sum = 0

  addLeg(legMeters: number, value: number): void {
    const half = Math.exp(-legMeters / 2 / LOCAL_METERS)
    this.meters = this.meters * half * half + legMeters * half
    this.sum = this.sum * half * half + legMeters * half * value
  }
}
