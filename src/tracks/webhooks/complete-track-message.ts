import { AppError } from '#platform/errors.ts'
import type { MessageDraft } from '#platform/webhooks/sending/deliver.ts'
import { type CurrentStatistics, withoutPoints } from '../computing/current-statistics.ts'
import { decodePauses } from '../domain/pauses.ts'
import { trackNotFound } from '../errors.ts'
import { emptyColumns } from '../points/point-columns.ts'
import { trackJson } from '../representations/track-json.ts'
import { computeStatistics } from '../statistics/statistics.ts'
import { type KeptStatisticsJson, type StatisticsJson, statisticsToJson } from '../statistics/statistics-to-json.ts'
import type { TrackRow } from '../storage/tables.ts'

type Deps = { currentStatistics: CurrentStatistics; maxAccuracyMeters: number }

/**
 * Makes the data of messages about tracks from the row that a change left: the track as `GET` answers it, with
 * statistics, which are not computed within the change. Points that arrive until then are counted.
 */
export function createCompleteTrackMessage({ currentStatistics, maxAccuracyMeters }: Deps) {
  return async ({ draft }: MessageDraft): Promise<object> => {
    const row = draft as TrackRow
    return await trackJson(row, async () => {
      if (row.point_count === 0) return { row, statistics: statisticsWithoutPoints(row) }
      const { row: read, statistics } = await currentStatistics(row, 'upkeep').catch((error) => {
        // The track was deleted meanwhile. Its points are gone, so the figures stored last are all that is known.
        if (error instanceof AppError && error.code === trackNotFound.code)
          return { row, statistics: storedStatistics(row) }
        throw error
      })
      return { row: { ...row, point_count: read.point_count }, statistics }
    })
  }

  function storedStatistics(row: TrackRow): StatisticsJson {
    if (row.computed_stats === null) return statisticsWithoutPoints(row)
    const { shown: _ofShownPart, ...statistics }: KeptStatisticsJson = JSON.parse(row.computed_stats)
    return statistics
  }

  function statisticsWithoutPoints(row: TrackRow): StatisticsJson {
    const settings = { activityType: row.activity_type, maxAccuracyMeters }
    const computed = computeStatistics(emptyColumns(0), decodePauses(row.pauses), settings)
    return withoutPoints(row, statisticsToJson(computed))
  }
}
