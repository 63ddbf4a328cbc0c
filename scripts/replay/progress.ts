import { bar } from '../command-line/status-line.ts'
import type { PointRange } from './batches.ts'
import { formatCount, formatDuration } from './comparison.ts'
import type { ResendReason } from './track-client.ts'

/** Progress of a replay. */
export type ProgressState = {
  points: number
  /** Points sent at least once, and those that the server has accepted. */
  sentPoints: number
  acknowledgedPoints: number
  requests: number
  resends: number
  /** Real time since the start. */
  elapsedSec: number
}

/** A short bar, so that 80 columns have space for the counts of a long track. */
const BAR_CELLS = 16

/** Formats the progress in one line of at most `width` characters. Omits items from the end to fit. */
export function progressLine(state: ProgressState, width = Number.POSITIVE_INFINITY): string {
  const share = state.points === 0 ? 1 : state.acknowledgedPoints / state.points
  const parts = [
    bar(share, BAR_CELLS),
    `${formatCount(state.sentPoints)} sent, ${formatCount(state.acknowledgedPoints)} acknowledged, ${formatCount(rate(state))}/s`,
    `${formatCount(state.resends)} re-sent`,
    formatDuration(state.elapsedSec),
  ]
  while (parts.length > 1 && parts.join('  ').length > width) parts.pop()
  return parts.join('  ')
}

function rate({ acknowledgedPoints, elapsedSec }: ProgressState): number {
  return elapsedSec === 0 ? 0 : acknowledgedPoints / elapsedSec
}

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
