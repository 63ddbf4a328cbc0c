import { setTimeout as wait } from 'node:timers/promises'
import type { TrackRow } from '../storage/tables.ts'
import type { CurrentStatistics } from './current-statistics.ts'

/** After computing it rests for so many times as long as that took, so that it takes a fifth of a core at most. */
const REST_PER_COMPUTATION = 4
/** A track that changes all the time is computed so often at most. */
const AGAIN_AFTER_MS = 20_000
/** More than this do not wait; they are there again when somebody looks again. */
const MAX_WAITING = 5000

/** Has statistics of tracks computed soon where those that are kept are not of the track as it is now. */
export type RefreshStatistics = (rows: readonly TrackRow[]) => void

/**
 * Lists and live maps show the statistics that were computed last, because computing those of thousands of tracks takes
 * longer than anyone waits. Whoever looks at such a list has them computed for the next look, one track after another.
 */
export function createRefreshStatistics(currentStatistics: CurrentStatistics, nowMs: () => number): RefreshStatistics {
  const waiting = new Map<string, TrackRow>()
  const computedAt = new Map<string, number>()
  let isWorking = false

  async function work(): Promise<void> {
    isWorking = true
    for (const [id, row] of waiting) {
      waiting.delete(id)
      const startMs = performance.now()
      // Why it failed is told to whoever reads the track itself; it may be gone by now.
      await currentStatistics(row).catch(() => {})
      computedAt.set(id, nowMs())
      await wait((performance.now() - startMs) * REST_PER_COMPUTATION, undefined, { ref: false })
    }
    isWorking = false
  }

  return (rows) => {
    if (computedAt.size > MAX_WAITING) forgetOlder(computedAt, nowMs() - AGAIN_AFTER_MS)
    for (const row of rows) {
      const isKept = row.computed_revision === row.revision
      const isRecent = nowMs() - (computedAt.get(row.id) ?? Number.NEGATIVE_INFINITY) < AGAIN_AFTER_MS
      if (!isKept && !isRecent && waiting.size < MAX_WAITING) waiting.set(row.id, row)
    }
    if (!isWorking && waiting.size > 0) void work()
  }
}

function forgetOlder(times: Map<string, number>, thanMs: number): void {
  for (const [id, timeMs] of times) if (timeMs < thanMs) times.delete(id)
}
