import { formatDateTime } from '#platform/time/date-time.ts'
import type { Track } from '../schemas/track.ts'
import type { StatisticsJson } from '../statistics/statistics-to-json.ts'
import type { TrackRow } from '../storage/tables.ts'

/** A track in the words of the API, with complete statistics. */
type TrackJson = Track & { stats: StatisticsJson; computed_stats?: StatisticsJson }

/** Returns the current statistics of a track, with the row they belong to. */
type FindStatistics = (row: TrackRow) => Promise<{ row: TrackRow; statistics: StatisticsJson }>

/**
 * Converts a track's row to the specification's words and adds its current statistics. Statistics that the client gave
 * take precedence in `stats`; the computed ones then also stand in `computed_stats`.
 */
export async function trackJson(found: TrackRow, findStatistics: FindStatistics): Promise<TrackJson> {
  const { row, statistics } = await findStatistics(found)
  const given = row.given_stats === null ? undefined : JSON.parse(row.given_stats)
  return {
    id: row.id,
    device_track_id: row.device_track_id,
    title: row.title,
    activity_type: row.activity_type,
    state: row.state,
    start_ts: formatDateTime(row.start_ms),
    end_ts: row.end_ms === null ? null : formatDateTime(row.end_ms),
    user_id: row.user_id,
    image_url: row.image_url,
    points_count: row.point_count,
    stats: given === undefined ? statistics : { ...statistics, ...given },
    ...(given === undefined ? {} : { computed_stats: statistics }),
    created_at: formatDateTime(row.created_at),
    updated_at: formatDateTime(row.updated_at),
  }
}
