import type { PointRange } from './cut-batches.ts'
import type { ProgressState } from './progress-line.ts'
import type { ResendReason } from './track-client.ts'

/** Counts the events of a replay. A point sent several times counts once. */
export type Tally = {
  sending(range: PointRange): void
  taken(range: PointRange): void
  resent(reason: ResendReason): void
  state(): ProgressState
  /** Number of retries, by reason. */
  resends: ReadonlyMap<ResendReason, number>
}

/** Starts a tally for `total` points, with the clock starting now. */
export function startTally(points: number): Tally {
  const startedMs = performance.now()
  const sent = distinctPoints(points)
  const acknowledged = distinctPoints(points)
  const resends = new Map<ResendReason, number>()
  let requests = 0
  return {
    sending(range) {
      requests++
      sent.add(range)
    },
    taken: acknowledged.add,
    resent: (reason) => resends.set(reason, (resends.get(reason) ?? 0) + 1),
    state: () => ({
      points,
      sentPoints: sent.count(),
      acknowledgedPoints: acknowledged.count(),
      requests,
      resends: [...resends.values()].reduce((sum, count) => sum + count, 0),
      elapsedSec: (performance.now() - startedMs) / 1000,
    }),
    resends,
  }
}

function distinctPoints(points: number): { add(range: PointRange): void; count(): number } {
  const isIn = new Uint8Array(points)
  let count = 0
  return {
    add({ from, to }) {
      for (let i = from; i < to; i++) {
        count += 1 - isIn[i]
        isIn[i] = 1
      }
    },
    count: () => count,
  }
}
