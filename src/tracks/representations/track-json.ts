import { formatDateTime } from '#platform/time/date-time.ts'
import type { CurrentStatistics } from '../computing/current-statistics.ts'
import type { TrackRow } from '../storage/tables.ts'

/**
 * A track as it is read: what the table holds in the specification's words, with its statistics as they stand. Where
 * the client gave statistics of its own, these stand in `stats`, completed by ours, and ours beside them.
 */
export async function trackJson(found: TrackRow, currentStatistics: CurrentStatistics) {
  const { row, statistics } = await currentStatistics(found)
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
