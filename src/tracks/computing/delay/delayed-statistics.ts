import { setTimeout as wait } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import { decodePauses, pausesUntil } from '../../domain/pauses.ts'
import { partUntil, shownPartOf } from '../../domain/shown-part.ts'
import { statisticsToJson } from '../../statistics/statistics-to-json.ts'
import { readAllChunks } from '../../storage/chunks-store.ts'
import type { TrackRow, TracksTables } from '../../storage/tables.ts'
import type { ComputingTurns } from '../computing-turns.ts'
import type { PointsPool } from '../points-pool.ts'

/** After each computation it rests this many times as long, so that it takes at most a fifth of a core. */
const REST_PER_COMPUTATION = 4
/** Shortest time between two computations of a track that goes on. */
const MIN_INTERVAL_MS = 20_000
/** Further tracks are dropped. They are queued again with the next read. */
const MAX_WAITING = 5000
/** Tracks whose figures are kept, some 1 kB each. */
const MAX_KEPT = 20_000

/**
 * Statistics of tracks up to a time, for spectators of events with a delay. They are kept in memory only: a few minutes
 * later those of the whole track replace them.
 */
export type DelayedStatistics = {
  /** Returns the newest statistics, as stored in JSON, of no point later than `untilMs`; undefined until computed. */
  find(row: TrackRow, untilMs: number): string | undefined
  /** Queues tracks whose statistics up to now are older than some seconds. */
  refresh(rows: readonly TrackRow[], untilMs: number): void
}

/** Statistics up to a time, and the same earlier: while a clock is set back, the former may show too much. */
type Kept = { key: string; untilMs: number; json: string }

type Deps = {
  db: Kysely<TracksTables>
  pool: Pick<PointsPool, 'statistics'>
  turns: Pick<ComputingTurns, 'take'>
  maxAccuracyMeters: number
}

/** Creates the statistics of one instance. They are computed in the background, one track at a time. */
export function createDelayedStatistics({ db, pool, turns, maxAccuracyMeters }: Deps): DelayedStatistics {
  const kept = new LRUCache<string, Kept>({ max: MAX_KEPT })
  const waiting = new Map<string, { row: TrackRow; untilMs: number }>()
  let isWorking = false

  async function compute(row: TrackRow, untilMs: number): Promise<void> {
    const chunks = await readAllChunks(db, row.id)
    const task = {
      chunks: chunks.map(({ bytes }) => bytes),
      pauses: pausesUntil(decodePauses(row.pauses), untilMs),
      settings: { activityType: row.activity_type, maxAccuracyMeters },
      shown: partUntil(shownPartOf(row), untilMs),
      isShownPartOnly: true,
    }
    const { whole } = await pool.statistics(task, 'in a thread')
    const statistics = statisticsToJson(whole)
    kept.set(row.id, { key: keyOf(row), untilMs, json: JSON.stringify({ ...statistics, shown: statistics }) })
  }

  async function work(): Promise<void> {
    isWorking = true
    for (const [id, { row, untilMs }] of waiting) {
      waiting.delete(id)
      const startMs = performance.now()
      // The track may be deleted by now. Any other failure shows when the track itself is read.
      await turns.take('upkeep', () => compute(row, untilMs)).catch(() => {})
      await wait((performance.now() - startMs) * REST_PER_COMPUTATION, undefined, { ref: false })
    }
    isWorking = false
  }

  return {
    find(row, untilMs) {
      const found = kept.get(row.id)
      return found !== undefined && found.untilMs <= untilMs && found.key === keyOf(row) ? found.json : undefined
    },
    refresh(rows, untilMs) {
      for (const row of rows) {
        const found = kept.peek(row.id)
        const isRecent = found?.key === keyOf(row) && Math.abs(untilMs - found.untilMs) < MIN_INTERVAL_MS
        if (!isRecent && row.point_count > 0 && waiting.size < MAX_WAITING) waiting.set(row.id, { row, untilMs })
      }
      if (!isWorking && waiting.size > 0) void work()
    },
  }
}

/** Identifies the part of a track that is shown. Figures of another part would tell what an operator took away. */
function keyOf({ shown_from_ms, shown_until_ms, activity_type }: TrackRow): string {
  return `${shown_from_ms} ${shown_until_ms} ${activity_type}`
}
