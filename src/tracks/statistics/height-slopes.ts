import type { HeightNodes } from './height-nodes.ts'

/** The way over which slopes are compared: after this, a slope counts by 1/e. */
const LOCAL_METERS = 1200
/** Weight of the whole track's slope, as metres of way around a node. */
const WHOLE_TRACK_METERS = 250

/**
 * Returns by how much slopes around each node exceed those of the whole track, as a factor of their variance: a flat
 * valley before a pass is not the pass. `slopeSquared` is the expected square of the slope at each node.
 */
export function slopeFactors(nodes: HeightNodes, slopeSquared: Float64Array, variance: number): Float64Array {
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
