import { setTimeout as wait } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import { decodePauses } from '../../domain/pauses.ts'
import { shownPartOf } from '../../domain/shown-part.ts'
import { type StatisticsJson, statisticsToJson } from '../../statistics/statistics-to-json.ts'
import { readChunksUntil } from '../../storage/chunks-store.ts'
import type { TrackRow, TracksTables } from '../../storage/tables.ts'
import type { ComputingTurns } from '../computing-turns.ts'
import { methodOf } from '../current-figures.ts'
import type { PointsPool } from '../points-pool.ts'

/** After each computation it rests this many times as long, so that it takes at most a fifth of a core. */
const REST_PER_COMPUTATION = 4
/** Shortest time between two computations of a track that goes on. */
const MIN_INTERVAL_MS = 20_000
/** Further tracks are dropped. They are queued again with the next read. */
const MAX_WAITING = 5000
/** Tracks whose figures are kept, some 1 kB each. */
const MAX_KEPT = 20_000

/** The columns of a delayed row that its statistics fill. */
type Figures = Pick<TrackRow, 'computed_stats' | 'computed_revision' | 'computed_method'>

/**
 * Statistics of delayed tracks, for spectators. They are kept in memory only: a few minutes later those of the whole
 * track replace them. What is there, and when it is computed, depends on the delayed rows alone.
 */
export type DelayedStatistics = {
  /**
   * Returns the newest statistics that describe nothing later than the row, as they are stored; none until computed.
   */
  find(row: TrackRow): Partial<Figures>
  /** Queues the tracks whose statistics are those of an earlier time. */
  refresh(rows: readonly TrackRow[], untilMs: number): void
  /** Takes statistics that are known from elsewhere, if they are. */
  keep(row: TrackRow, untilMs: number, statistics: StatisticsJson | undefined): void
}

/**
 * Statistics of a revision of a delayed row, as of a time; `shownUntilMs` is the end of the part that they describe.
 */
type Kept = { key: string; revision: number; untilMs: number; shownUntilMs: number; statistics: StatisticsJson }

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
  const method = methodOf(maxAccuracyMeters)
  let isWorking = false

  function keep(row: TrackRow, untilMs: number, statistics: StatisticsJson): void {
    const shownUntilMs = shownPartOf(row).untilMs
    kept.set(row.id, { key: keyOf(row), revision: row.revision, untilMs, shownUntilMs, statistics })
  }

  async function compute(row: TrackRow, untilMs: number): Promise<void> {
    const chunks = await readChunksUntil(db, row.id, untilMs)
    const task = {
      chunks: chunks.map(({ bytes }) => bytes),
      pauses: decodePauses(row.pauses),
      settings: { activityType: row.activity_type, maxAccuracyMeters },
      shown: shownPartOf(row),
      isShownPartOnly: true,
    }
    const { whole } = await pool.statistics(task, 'in a thread')
    keep(row, untilMs, statisticsToJson(whole))
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

  /** Finds nothing later than the row, as after a trim, or while a clock is set back. */
  function findKept(row: TrackRow): Kept | undefined {
    const found = kept.get(row.id)
    if (found === undefined || found.key !== keyOf(row)) return undefined
    return found.shownUntilMs <= shownPartOf(row).untilMs ? found : undefined
  }

  return {
    find(row) {
      const found = findKept(row)
      if (found === undefined) return {}
      const { statistics, revision } = found
      const shown = { ...statistics, ...(row.given_stats === null ? {} : JSON.parse(row.given_stats)) }
      return {
        computed_stats: JSON.stringify({ ...statistics, shown }),
        computed_revision: revision,
        computed_method: method,
      }
    },
    refresh(rows, untilMs) {
      for (const row of rows) {
        const found = findKept(row)
        const isCurrent = found?.revision === row.revision
        const isRecent = found !== undefined && Math.abs(untilMs - found.untilMs) < MIN_INTERVAL_MS
        if (isCurrent || isRecent || row.point_count === 0 || waiting.size >= MAX_WAITING) continue
        waiting.set(row.id, { row, untilMs })
      }
      if (!isWorking && waiting.size > 0) void work()
    },
    keep(row, untilMs, statistics) {
      if (statistics !== undefined && findKept(row)?.revision !== row.revision) keep(row, untilMs, statistics)
    },
  }
}

/** Identifies the beginning of the shown part. Figures of another would tell what an operator took away. */
function keyOf({ shown_from_ms, activity_type }: TrackRow): string {
  return `${shown_from_ms} ${activity_type}`
}
