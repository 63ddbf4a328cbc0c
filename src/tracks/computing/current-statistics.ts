import type { Kysely } from 'kysely'
import { SharedWork } from '#platform/cache/shared-work.ts'
import { isDatabaseUnavailable } from '#platform/database/database-failure.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import type { Logger } from '#platform/logger.ts'
import { decodePauses } from '../domain/pauses.ts'
import { shownPartOf } from '../domain/shown-part.ts'
import { type KeptStatisticsJson, type StatisticsJson, statisticsToJson } from '../statistics/statistics-to-json.ts'
import { readAllChunks } from '../storage/chunks-store.ts'
import type { TrackRow, TracksTables } from '../storage/tables.ts'
import { wholeEvent } from '../storage/track-scope.ts'
import type { TracksStore } from '../storage/tracks-store.ts'
import { lockTrack } from '../storage/whole-tracks.ts'
import { abandonmentOf } from './abandonment.ts'
import type { Asker, ComputingTurns } from './computing-turns.ts'
import { createFiguresCheck, methodOf } from './current-figures.ts'
import type { PointsPool } from './points-pool.ts'

/** Attempts to read a track and its points with no point arriving in between. After that, the track is locked. */
const MAX_ATTEMPTS = 3

/** Statistics with the row they belong to, and those of the shown part if the track is trimmed. */
type RowStatistics = { row: TrackRow; statistics: StatisticsJson; shown?: StatisticsJson }

/**
 * Returns the current statistics of a track. What is not stored yet is computed in the turn of who
 * asks for it, unless the client leaves first.
 * @throws unavailable if too many computations wait
 */
export type CurrentStatistics = (row: TrackRow, asker: Asker, left?: AbortSignal) => Promise<RowStatistics>

type StoredBytes = { count: number; bytes: Uint8Array }
type TrackWithChunks = { row: TrackRow; chunks: StoredBytes[] }
type Deps = {
  db: Kysely<TracksTables>
  tracks: TracksStore
  pool: Pick<PointsPool, 'statistics'>
  turns: Pick<ComputingTurns, 'take'>
  logger: Logger
  maxAccuracyMeters: number
}

/**
 * Computes statistics on demand. They are a pure function of the stored points, so they are stored with the revision
 * they were computed from, and nothing needs to be maintained while points arrive.
 */
export function createCurrentStatistics(deps: Deps): CurrentStatistics {
  const { db, tracks, pool, turns, logger, maxAccuracyMeters } = deps
  const inProgress = new SharedWork<RowStatistics>()
  const method = methodOf(maxAccuracyMeters)
  const hasCurrentFigures = createFiguresCheck(maxAccuracyMeters)

  async function compute(given: TrackRow, asker: Asker, abandoned: AbortSignal): Promise<RowStatistics> {
    const { row, chunks } = await readMatching(given)
    abandoned.throwIfAborted()
    const task = {
      chunks: chunks.map(({ bytes }) => bytes),
      pauses: decodePauses(row.pauses),
      settings: { activityType: row.activity_type, maxAccuracyMeters },
      shown: shownPartOf(row),
      abandonment: abandonmentOf(abandoned),
    }
    // Nobody but a phone takes time of the thread that answers phones.
    const { whole, shown } = await pool.statistics(task, asker === 'phone' ? 'inline if short' : 'in a thread')
    return { row, statistics: statisticsToJson(whole), ...(shown && { shown: statisticsToJson(shown) }) }
  }

  /**
   * Stores statistics for the next reader. The current one does not wait, nor does it fail where the database is
   * read-only, as with a full disk.
   */
  async function store({ row: { id, revision }, statistics, shown }: RowStatistics): Promise<void> {
    try {
      const kept: KeptStatisticsJson = { ...statistics, ...(shown && { shown }) }
      const stored = { json: JSON.stringify(kept), distanceMeters: (shown ?? statistics).distance_meters }
      await tracks.keepStatistics(id, revision, method, stored)
    } catch (err) {
      if (!isDatabaseUnavailable(err)) logger.error({ err, trackId: id }, 'storing statistics failed')
    }
  }

  return async function currentStatistics(row, asker, left) {
    if (hasCurrentFigures(row)) {
      const { shown, ...statistics }: KeptStatisticsJson = JSON.parse(row.computed_stats!)
      return { row, statistics: withoutPoints(row, statistics), shown }
    }
    // Shared by those who found the same row, so that nobody gets an older one. A phone
    // never waits for the turn of someone else.
    return await inProgress.join(`${row.id} ${row.updated_at} ${row.revision} ${asker}`, left, async (abandoned) => {
      const computed = await turns.take(asker, () => compute(row, asker, abandoned), abandoned)
      void store(computed)
      return { ...computed, statistics: withoutPoints(computed.row, computed.statistics) }
    })
  }

  /** Reads the track and its points from the same moment, although points may arrive at any time. */
  async function readMatching(given: TrackRow): Promise<TrackWithChunks> {
    let row = given
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const chunks = await readAllChunks(db, row.id)
      if (countOf(chunks) === row.point_count) return { row, chunks }
      row = await tracks.get(wholeEvent(row.event_id), row.id)
    }
    return await readLocked(db, row.id)
  }
}

/** Reads both under a lock, for a track that is written to constantly. */
async function readLocked(db: Kysely<TracksTables>, id: string): Promise<TrackWithChunks> {
  return await inTransaction(
    db,
    async (transaction) => {
      const row = await lockTrack(transaction, id, 'forShare')
      const chunks = await readAllChunks(transaction, id)
      if (countOf(chunks) !== row.point_count) throw new Error(`points of track ${id} do not add up to its count`)
      return { row, chunks }
    },
    { isolation: 'read committed' },
  )
}

function countOf(chunks: readonly StoredBytes[]): number {
  return chunks.reduce((sum, { count }) => sum + count, 0)
}

/** Takes the duration of a track without points from its own times. */
export function withoutPoints(row: TrackRow, statistics: StatisticsJson): StatisticsJson {
  if (row.point_count > 0 || row.end_ms === null) return statistics
  return { ...statistics, duration_sec: Math.floor((row.end_ms - row.start_ms) / 1000 + 0.5) }
}
