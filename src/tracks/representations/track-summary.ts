import { formatDateTime } from '#platform/time/date-time.ts'
import { isTrimmed, shownPartOf } from '../domain/shown-part.ts'
import type { LiveTrack } from '../schemas/live.ts'
import type { SharedTrack, StatisticsSummary, TrackSummary } from '../schemas/track-summaries.ts'
import type { KeptStatisticsJson } from '../statistics/statistics-to-json.ts'
import type { TrackRow } from '../storage/tables.ts'
import { momentOrNull } from './event-json.ts'

/** Represents a track in an operator's list. */
export function trackSummary(row: TrackRow): TrackSummary {
  return { ...sharedTrack(row), device_track_id: row.device_track_id, user_id: row.user_id }
}

/** Represents a track on an operator's live map. Spectators do not get the charge of a phone: it is its owner's. */
export function liveTrack(row: TrackRow, batteryPercent: number | null): LiveTrack {
  return { ...trackSummary(row), battery_percent: batteryPercent }
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

/**
 * Returns the statistics computed last. Those that came with a sync take precedence, unless the track is trimmed: they
 * describe all of it.
 */
function statisticsSummary(row: TrackRow): StatisticsSummary | null {
  const { computed_stats, given_stats } = row
  if (computed_stats === null) return null
  const { shown, ...whole }: KeptStatisticsJson = JSON.parse(computed_stats)
  const trimmed = isTrimmed(shownPartOf(row))
  if (trimmed && shown === undefined) return null
  const all = trimmed ? shown! : { ...whole, ...(given_stats === null ? {} : JSON.parse(given_stats)) }
  return {
    distance_meters: all.distance_meters,
    duration_sec: all.duration_sec,
    moving_time_sec: all.moving_time_sec,
    elevation_gain_m: all.elevation_gain_m,
    mean_speed_mps: all.mean_speed_mps,
    pace_sec_per_km: all.pace_sec_per_km,
  }
}
