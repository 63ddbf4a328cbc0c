/** A track as spectators see it. */
export type LiveTrack = {
  id: string
  title: string
  activity_type: 'run' | 'walk' | 'bike' | 'hike'
  state: 'running' | 'paused' | 'stopped'
  start_ts: string
  end_ts: string | null
  points_count: number
  /** Time of the latest point; null without points. */
  last_point_at: string | null
  updated_at: string
  /** Null until computed. */
  stats: {
    distance_meters: number
    duration_sec: number
    moving_time_sec?: number
    elevation_gain_m: number
    /** Lowest and highest value with a probability of 95 %; absent unless the gain was estimated. */
    elevation_gain_interval_m?: number[]
    elevation_loss_m: number
    /** As for the gain. */
    elevation_loss_interval_m?: number[]
    mean_speed_mps: number
    pace_sec_per_km: number
  } | null
}

/**
 * Positions to add to the end of a track's line, one in each column. Those not later than the last known one are
 * repetitions. `has_gap`: positions before the first one were left out.
 */
export type LivePoints = {
  track_id: string
  has_gap: boolean
  time_ms: number[]
  latitude: number[]
  longitude: number[]
  altitude: (number | null)[]
  speed_mps: (number | null)[]
}

/**
 * With all events before it, the client has the state of the time `as_of`, `delay_sec` of which nobody is shown yet.
 */
export type LiveAsOf = { as_of: string; lag_ms: number; delay_sec: number }

/** An event of a share. Events may come twice. */
export type LiveEvent =
  | { name: 'track'; data: LiveTrack }
  | { name: 'track-deleted'; data: { id: string } }
  | { name: 'points'; data: LivePoints }
  /**
   * The snapshot is complete: with `tracks_left_out` all tracks of the share, else all changes since the connection was
   * lost. Tracks that a whole snapshot no longer has come before it, as `track-deleted` made by the client.
   */
  | { name: 'ready'; data: LiveAsOf & { tracks_left_out?: number } }
  | { name: 'as-of'; data: LiveAsOf }
  | { name: 'ranking'; data: { read_again: boolean; entries: unknown[] } }
  /** The share or its event has ended. The last event. The reason is known from the stream alone. */
  | { name: 'ended'; data: { reason?: 'revoked' | 'expired' | 'deleted' } }
  /** The connection is lost, and is opened again after this time. Made by the client. */
  | { name: 'disconnected'; data: { retryMs: number } }
