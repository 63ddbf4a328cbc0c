import { formatDateTime } from '#platform/time/date-time.ts'
import type { SharedTrack, StatisticsSummary, TrackSummary } from '../schemas/track-summaries.ts'
import type { TrackRow } from '../storage/tables.ts'
import { momentOrNull } from './event-json.ts'

/** Represents a track in an operator's list. */
export function trackSummary(row: TrackRow): TrackSummary {
  return { ...sharedTrack(row), device_track_id: row.device_track_id, user_id: row.user_id }
}

/** Represents a track for spectators. */
export function sharedTrack(row: TrackRow): SharedTrack {
  return {
    id: row.id,
    title: row.title,
    activity_type: row.activity_type,
    state: row.state,
    start_ts: formatDateTime(row.start_ms),
    end_ts: momentOrNull(row.end_ms),
    points_count: row.point_count,
    last_point_at: momentOrNull(row.last_point_ms),
    updated_at: formatDateTime(row.updated_at),
    stats: statisticsSummary(row),
  }
}

/** Returns the statistics computed last. Those that came with a sync take precedence. */
function statisticsSummary({ computed_stats, given_stats }: TrackRow): StatisticsSummary | null {
  if (computed_stats === null) return null
  const all = { ...JSON.parse(computed_stats), ...(given_stats === null ? {} : JSON.parse(given_stats)) }
  return {
    distance_meters: all.distance_meters,
    duration_sec: all.duration_sec,
    moving_time_sec: all.moving_time_sec,
    elevation_gain_m: all.elevation_gain_m,
    mean_speed_mps: all.mean_speed_mps,
    pace_sec_per_km: all.pace_sec_per_km,
  }
}
