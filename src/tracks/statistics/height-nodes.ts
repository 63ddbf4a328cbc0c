import type { AltitudeRuns } from './altitudes.ts'

/** Altitudes at even intervals, at which heights are estimated. Each node has the leg that ends there. */
export type HeightNodes = {
  count: number
  timeMs: Float64Array
  /** Metres as sent; NaN at a node that only divides a long leg. */
  meters: Float64Array
  legSec: Float64Array
  legMeters: Float64Array
  /** 1 at the first node of a run, before which nothing is known. */
  startsRun: Uint8Array
}

/** The most nodes that divide one leg, so that a long interruption stays cheap. */
const MAX_PARTS = 60

/**
 * Picks the first and last altitude of each run and, between them, those at least `stepSec` apart. Means instead would
 * be wrong: the mean of a receiver's slowly wandering error looks like smooth terrain. Legs longer than `maxLegSec` are
 * divided evenly by nodes without an altitude.
 */
export function pickNodes(runs: AltitudeRuns, stepSec: number, maxLegSec = Number.POSITIVE_INFINITY): HeightNodes {
  const picked = pickAltitudes(runs, stepSec)
  const partsOf = (i: number) => {
    const sec = (runs.timeMs[picked.indexes[i]] - runs.timeMs[picked.indexes[i - 1]]) / 1000
    return picked.startsRun[i] === 1 ? 1 : Math.min(MAX_PARTS, Math.max(1, Math.ceil(sec / maxLegSec)))
  }
  let count = 0
  for (let i = 0; i < picked.indexes.length; i++) count += i === 0 ? 1 : partsOf(i)
  const nodes = emptyNodes(count)
  let next = 0
  for (let i = 0; i < picked.indexes.length; i++) {
    const to = picked.indexes[i]
    if (picked.startsRun[i] === 1) {
      nodes.startsRun[next] = 1
      nodes.timeMs[next] = runs.timeMs[to]
      nodes.meters[next++] = runs.meters[to]
      continue
    }
    const from = picked.indexes[i - 1]
    const parts = partsOf(i)
    const legMs = (runs.timeMs[to] - runs.timeMs[from]) / parts
    const legMeters = (runs.travelledMeters[to] - runs.travelledMeters[from]) / parts
    for (let part = 1; part <= parts; part++) {
      nodes.timeMs[next] = part === parts ? runs.timeMs[to] : runs.timeMs[from] + part * legMs
      nodes.meters[next] = part === parts ? runs.meters[to] : Number.NaN
      nodes.legSec[next] = legMs / 1000
      nodes.legMeters[next++] = legMeters
    }
  }
  return nodes
}

/** A millisecond less than the step, because recorders round their times. */
const ROUNDING_MS = 1

function pickAltitudes({ timeMs, bounds }: AltitudeRuns, stepSec: number) {
  const indexes: number[] = []
  const startsRun: number[] = []
  for (let run = 0; run + 1 < bounds.length; run++) {
    const last = bounds[run + 1] - 1
    for (let i = bounds[run]; i <= last; i++) {
      const isFirst = i === bounds[run]
      const isDue = isFirst || timeMs[i] - timeMs[indexes[indexes.length - 1]] >= stepSec * 1000 - ROUNDING_MS
      if (!isDue && i !== last) continue
      indexes.push(i)
      startsRun.push(isFirst ? 1 : 0)
    }
  }
  return { indexes, startsRun }
}

function emptyNodes(count: number): HeightNodes {
  return {
    count,
    timeMs: new Float64Array(count),
    meters: new Float64Array(count),
    legSec: new Float64Array(count),
    legMeters: new Float64Array(count),
    startsRun: new Uint8Array(count),
  }
}

/** Returns `parts` stretches of `length` nodes, evenly spread over all nodes, each as a run of its own. */
export function sampleNodes(nodes: HeightNodes, parts: number, length: number): HeightNodes {
  const sample = emptyNodes(parts * length)
  for (let part = 0; part < parts; part++) {
    const first = Math.round((part * (nodes.count - length)) / (parts - 1))
    for (const column of ['timeMs', 'meters', 'legSec', 'legMeters', 'startsRun'] as const) {
      sample[column].set(nodes[column].subarray(first, first + length), part * length)
    }
    sample.startsRun[part * length] = 1
  }
  return sample
}
