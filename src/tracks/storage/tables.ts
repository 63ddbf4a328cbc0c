import type { IdempotencyTables } from '#platform/database/idempotency.ts'
import type { ActivityType } from '../domain/activity-type.ts'
import type { TrackState } from '../domain/track-state.ts'

/** An event: whose tracks these are. Times are milliseconds since 1970 in all tables. */
export type EventRow = {
  id: string
  name: string
  created_at: number
  /** When its deletion began; the row goes last, so that an interrupted deletion is taken up again. */
  deleted_at: number | null
  /** For the operators alone. */
  note: string | null
  /** First and last day, `2026-05-03`. */
  starts_on: string | null
  ends_on: string | null
  /** How many tracks and points it may have; null for no limit. */
  max_tracks: number | null
  max_points: number | null
}

/** A token of an event, found by the SHA-256 of its text; the text itself is kept sealed, for display. */
export type AppTokenRow = {
  token_sha256: string
  event_id: string
  sealed: Uint8Array
  created_at: number
  /** When it ends; null while nothing ends it. */
  expires_at: number | null
  /** Whose it is, or for what. */
  label: string | null
  /** To the minute; null when it was never used. */
  last_used_at: number | null
}

export type TrackRow = {
  id: string
  event_id: string
  device_track_id: string
  title: string
  activity_type: ActivityType
  state: TrackState
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
  /** Title, device_track_id and user_id as `searchText` folds them. */
  search_text: string | null
  /** Distance by the computed statistics, for lists in its order; null before they were computed. */
  distance_m: number | null
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

/** A track that is gone, kept for a day for those who watch its event. */
export type DeletedTrackRow = { event_id: string; track_id: string; deleted_at: number }

/** An address for spectators, found by the SHA-256 of its token; it ends when it is revoked or expires. */
export type ShareRow = {
  id: string
  event_id: string
  /** The one track that it shows; null for all of the event. */
  track_id: string | null
  label: string | null
  token_sha256: string
  sealed: Uint8Array
  created_at: number
  expires_at: number | null
  revoked_at: number | null
}

export type TracksTables = IdempotencyTables & {
  events: EventRow
  app_tokens: AppTokenRow
  tracks: TrackRow
  device_tracks: DeviceTrackRow
  chunks: ChunkRow
  deleted_tracks: DeletedTrackRow
  shares: ShareRow
}
