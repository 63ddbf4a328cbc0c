import { setTimeout as wait } from 'node:timers/promises'
import type { TrackRow } from '../storage/tables.ts'
import type { HasCurrentFigures } from './current-figures.ts'
import type { CurrentStatistics } from './current-statistics.ts'

/** After each computation it rests this many times as long, so that it takes at most a fifth of a core. */
const REST_PER_COMPUTATION = 4
/** Shortest time between two computations of a track that changes constantly. */
const MIN_INTERVAL_MS = 20_000
/** Further tracks are dropped. They are queued again with the next read. */
const MAX_WAITING = 5000

/** Queues the tracks whose stored statistics are outdated. */
export type RefreshStatistics = (rows: readonly TrackRow[]) => void

type Deps = { currentStatistics: CurrentStatistics; hasCurrentFigures: HasCurrentFigures; now: () => number }

/**
 * Refreshes outdated statistics in the background, one track at a time. Lists and live maps show the
 * statistics computed last, because computing those of thousands of tracks would take too long. Reading
 * a list refreshes them for the next read.
 */
export function createRefreshStatistics({ currentStatistics, hasCurrentFigures, now }: Deps): RefreshStatistics {
  const waiting = new Map<string, TrackRow>()
  const computedAt = new Map<string, number>()
  let isWorking = false

  async function work(): Promise<void> {
    isWorking = true
    for (const [id, row] of waiting) {
      waiting.delete(id)
      const startMs = performance.now()
      // The track may be deleted by now. Any other failure shows when the track itself is read.
      await currentStatistics(row, 'upkeep').catch(() => {})
      computedAt.set(id, now())
      await wait((performance.now() - startMs) * REST_PER_COMPUTATION, undefined, { ref: false })
    }
    isWorking = false
  }

  return (rows) => {
    if (computedAt.size > MAX_WAITING) dropBefore(computedAt, now() - MIN_INTERVAL_MS)
    for (const row of rows) {
      const isRecent = now() - (computedAt.get(row.id) ?? Number.NEGATIVE_INFINITY) < MIN_INTERVAL_MS
      if (!hasCurrentFigures(row) && !isRecent && waiting.size < MAX_WAITING) waiting.set(row.id, row)
    }
    if (!isWorking && waiting.size > 0) void work()
  }
}

function dropBefore(times: Map<string, number>, untilMs: number): void {
  for (const [id, timeMs] of times) if (timeMs < untilMs) times.delete(id)
}
