import type { IdempotencyTables } from '#platform/database/idempotency.ts'

/** An event: whose tracks these are. Times are milliseconds since 1970 in all tables. */
export type EventRow = {
  id: string
  name: string
  created_at: number
  /** When its deletion began; the row goes last, so that an interrupted deletion is taken up again. */
  deleted_at: number | null
}

/** A token of an event, found by the SHA-256 of its text; the text itself is kept sealed, for display. */
export type AppTokenRow = {
  token_sha256: string
  event_id: string
  sealed: Uint8Array
  created_at: number
  /** When it ends; null while nothing ends it. */
  expires_at: number | null
}

export type TrackRow = {
  id: string
  event_id: string
  device_track_id: string
  title: string
  activity_type: string
  state: string
  start_ms: number
  end_ms: number | null
  user_id: string | null
  image_url: string | null
  /** JSON of the pauses so far. */
  pauses: string
  /** Moves with every change that can change the statistics. */
  revision: number
  point_count: number
  /** Time of the latest stored point; null without points. */
  last_point_ms: number | null
  /** Chunks that have not been merged yet. */
  loose_chunks: number
  /** JSON of the statistics that came with a sync, as given. */
  given_stats: string | null
  /** JSON of the computed statistics, of the revision and the method beside it. */
  computed_stats: string | null
  computed_revision: number | null
  computed_method: string | null
  created_at: number
  updated_at: number
}

/** Where the uniqueness of `device_track_id` lives, so that tracks themselves can be spread by their own id. */
export type DeviceTrackRow = { event_id: string; device_track_id: string; track_id: string }

/** Points, coded in columns. Within a track the time ranges of chunks never touch, so their first times are unique. */
export type ChunkRow = {
  track_id: string
  first_ms: number
  last_ms: number
  count: number
  /** 1 where the chunk was made by merging, 0 where it is as it arrived. */
  merged: number
  bytes: Uint8Array
}

export type TracksTables = IdempotencyTables & {
  events: EventRow
  app_tokens: AppTokenRow
  tracks: TrackRow
  device_tracks: DeviceTrackRow
  chunks: ChunkRow
}
