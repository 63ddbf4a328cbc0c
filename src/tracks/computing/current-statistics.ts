import type { Kysely } from 'kysely'
import { isDatabaseUnavailable } from '#platform/database/database-failure.ts'
import { decodePauses } from '../domain/pauses.ts'
import { STATISTICS_METHOD, type StatisticsSettings } from '../domain/statistics.ts'
import { type StatisticsJson, statisticsToJson } from '../domain/statistics-to-json.ts'
import { readAllChunks } from '../storage/chunks-store.ts'
import type { TrackRow, TracksTables } from '../storage/tables.ts'
import type { TracksStore } from '../storage/tracks-store.ts'
import type { PointsPool } from './points-pool.ts'

/** How often the track is read again when points arrive between reading it and reading its points. */
const ATTEMPTS = 4

/** The statistics of a track as it stands, with the row they belong to. */
export type CurrentStatistics = (row: TrackRow) => Promise<{ row: TrackRow; statistics: StatisticsJson }>

type Deps = { db: Kysely<TracksTables>; tracks: TracksStore; pool: PointsPool; maxAccuracyMeters: number }

/**
 * Statistics are a pure function of the stored points, so they are computed when someone asks and kept beside the
 * revision that they were computed of; nothing has to be kept right while points arrive.
 */
export function createCurrentStatistics({ db, tracks, pool, maxAccuracyMeters }: Deps): CurrentStatistics {
  const method = `${STATISTICS_METHOD}/${maxAccuracyMeters}`

  async function compute(row: TrackRow): Promise<StatisticsJson | undefined> {
    const chunks = await readAllChunks(db, row.id)
    const count = chunks.reduce((sum, chunk) => sum + chunk.count, 0)
    if (count !== row.point_count) return undefined
    const settings = { activityType: row.activity_type as StatisticsSettings['activityType'], maxAccuracyMeters }
    const pauses = decodePauses(row.pauses)
    return statisticsToJson(await pool.statistics({ chunks: chunks.map(({ bytes }) => bytes), pauses, settings }))
  }

  /** For the next reader. A database that can be read and not written, as with a full disk, must not fail this one. */
  async function keep({ id, revision }: TrackRow, statistics: StatisticsJson): Promise<void> {
    try {
      await tracks.keepStatistics(id, revision, method, JSON.stringify(statistics))
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error
    }
  }

  return async function currentStatistics(row) {
    if (row.computed_revision === row.revision && row.computed_method === method) {
      return { row, statistics: withoutPoints(row, JSON.parse(row.computed_stats!)) }
    }
    let current = row
    for (let attempt = 1; ; attempt++) {
      const statistics = await compute(current)
      if (statistics !== undefined) {
        await keep(current, statistics)
        return { row: current, statistics: withoutPoints(current, statistics) }
      }
      if (attempt === ATTEMPTS) throw new Error(`points of track ${row.id} do not add up to its count`)
      current = await tracks.get(row.event_id, row.id)
    }
  }
}

/** A track without points has only the duration that its own times say. */
function withoutPoints(row: TrackRow, statistics: StatisticsJson): StatisticsJson {
  if (row.point_count > 0 || row.end_ms === null) return statistics
  return { ...statistics, duration_sec: Math.floor((row.end_ms - row.start_ms) / 1000 + 0.5) }
}
