import { formatCount, formatDuration } from './quantities.ts'

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
    `${bar(share)} ${String(Math.floor(share * 100)).padStart(3)} %`,
    `${formatCount(state.sentPoints)} sent, ${formatCount(state.acknowledgedPoints)} acknowledged, ${formatCount(rate(state))}/s`,
    `${formatCount(state.resends)} re-sent`,
    formatDuration(state.elapsedSec),
  ]
  while (parts.length > 1 && parts.join('  ').length > width) parts.pop()
  return parts.join('  ')
}

function bar(share: number): string {
  const full = Math.floor(share * BAR_CELLS)
  return '█'.repeat(full) + '░'.repeat(BAR_CELLS - full)
}

function rate({ acknowledgedPoints, elapsedSec }: ProgressState): number {
  return elapsedSec === 0 ? 0 : acknowledgedPoints / elapsedSec
}
