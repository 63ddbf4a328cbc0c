import type { SealedColumn } from '#platform/credentials/sealed-columns.ts'
import type { DatabaseLayout } from '#platform/database/citus-cluster.ts'
import type { IdempotencyTables } from '#platform/database/idempotency.ts'
import { type InspectionTables, inspectionLayout } from '#platform/doctor/inspection-store.ts'
import type { MaintenanceTables } from '#platform/jobs/maintenance-clock.ts'
import { webhookSealedColumns } from '#platform/webhooks/endpoints-store.ts'
import { type WebhookTables, webhookLayout } from '#platform/webhooks/tables.ts'
import type { ActivityType, TrackState } from './track-state.ts'

/** An event, to which tracks belong. Times are milliseconds since 1970 in all tables. */
export type EventRow = {
  id: string
  name: string
  created_at: number
  /** Start of the deletion. The row is removed last, so that an interrupted deletion is resumed. */
  deleted_at: number | null
  /** The same time while the event is in the bin, from which it can be restored; null otherwise. */
  binned_at: number | null
  /** Visible to operators only. */
  note: string | null
  /** First and last day, `2026-05-03`. */
  starts_on: string | null
  ends_on: string | null
  /** Limits of tracks and points; null for no limit. */
  max_tracks: number | null
  max_points: number | null
  /** IANA name; null for the zone of the server's settings. */
  time_zone: string | null
  /**
   * Silence after which a runner is shown without a signal, and charge from which a battery is low; null for the
   * defaults.
   */
  no_signal_after_sec: number | null
  low_battery_percent: number | null
  /** Time by which spectators see everything later than operators do; null for none. */
  spectator_delay_sec: number | null
  /** Days for which tracks are kept after their end; null for no limit. */
  retention_days: number | null
  /** The event of which this one is a rehearsal; null for a real one. */
  rehearsal_of: string | null
}

/** A rehearsal under way, or one that has ended and is looked at: how far the simulated phones have sent. */
export type RehearsalRow = {
  /** The copy into which phones are simulated. */
  event_id: string
  /** The event that is rehearsed, at most once at a time. */
  rehearsed_id: string
  /** Time at which the race of the copy begins. */
  starts_ms: number
  /** Seconds of the race up to which all points have been stored. */
  sent_sec: number
  /** Time by the server's clock of the latest step. */
  stepped_at: number
  /** Null while phones send. */
  ended_at: number | null
  /** The instance that takes the steps, until another may; null for none. */
  owner: string | null
  lease_until: number
}

/** A token of an event, found by the SHA-256 of its text. The text itself is stored encrypted, for display. */
type AppTokenRow = {
  token_sha256: string
  event_id: string
  sealed: Uint8Array
  created_at: number
  /** Null for a token without an end. */
  expires_at: number | null
  /** Owner or purpose. */
  label: string | null
  /** To the minute; null for an unused token. */
  last_used_at: number | null
  /** Names with commas between them, such as `record,read`. */
  permissions: string
  /** The one person whose tracks the token opens; null for all tracks of the event. */
  user_id: string | null
  /** 1 for the first token of an event, and for its replacements. */
  is_first: number
}

/**
 * Longest time by which the coarse time of a track may be behind its latest change. An index has the coarse time, so
 * that few batches of points need to change the index.
 */
export const MAX_COARSE_LAG_MS = 10 * 60_000

/**
 * A track without its details. A batch of points changes some of these columns, and none that an
 * index contains: that would double its cost.
 */
export type TrackHeadRow = {
  id: string
  event_id: string
  state: TrackState
  activity_type: ActivityType
  start_ms: number
  end_ms: number | null
  /** Grows with every change that can change the statistics. Each batch of points changes this and the next columns. */
  revision: number
  point_count: number
  /** Time of the latest stored point; null without points. */
  last_point_ms: number | null
  /** Number of uncompacted chunks. */
  loose_chunks: number
  updated_at: number
  /** Computed distance, to sort lists by; null until computed. */
  distance_m: number | null
  /** A recent `updated_at`, at most `MAX_COARSE_LAG_MS` behind it. An index has this one. */
  coarse_updated_at: number
  /** 1 while the track may have uncompacted chunks. */
  to_compact: number
  /** The part of the track that is shown, counted and exported to spectators; null for all of it. The points stay. */
  shown_from_ms: number | null
  shown_until_ms: number | null
  created_at: number
  device_track_id: string
  title: string
  user_id: string | null
  /** Title, device_track_id and user_id folded by `searchText`. */
  search_text: string | null
  /** JSON of the pauses. */
  pauses: string
  /**
   * Times by the server's clock at which it was stopped last, and went on last after that; null if it never was after
   * it was created.
   */
  stopped_at: number | null
  resumed_at: number | null
  /** Zero of the altitudes of points that do not say it themselves; null for unknown. */
  altitude_reference: 'sea_level' | 'ellipsoid' | null
}

/** The large and seldom read part of a track. A track with none of it has no row. */
export type TrackDetailsRow = {
  track_id: string
  image_url: string | null
  /** JSON of the statistics that came with a sync, as sent. */
  given_stats: string | null
  /** JSON of the computed statistics, for the revision and the method in the next columns. */
  computed_stats: string | null
  computed_revision: number | null
  computed_method: string | null
}

/** A whole track, as `selectTracks` returns it. */
export type TrackRow = TrackHeadRow & Omit<TrackDetailsRow, 'track_id'>

/** Makes `device_track_id` unique within an event, so that tracks themselves can be distributed by their own id. */
type DeviceTrackRow = { event_id: string; device_track_id: string; track_id: string }

/**
 * Points, encoded in columns. Within a track the time ranges of chunks never touch, so their first times are unique.
 */
export type ChunkRow = {
  track_id: string
  first_ms: number
  last_ms: number
  count: number
  /** 1 for a compacted chunk, 0 for one as it arrived. */
  merged: number
  bytes: Uint8Array
}

/** A deleted track, kept for a day for viewers of its event. */
type DeletedTrackRow = { event_id: string; track_id: string; deleted_at: number }

/** A track in the bin. Its points and details stay where they are, and no query for tracks finds them. */
export type BinnedTrackRow = {
  track_id: string
  event_id: string
  user_id: string | null
  binned_at: number
  /** Time from which the days of a retention count. */
  kept_since: number
  /** JSON of the `TrackHeadRow`. */
  row: string
}

/** A share link for spectators, found by the SHA-256 of its token, until it is revoked or expires. */
export type ShareRow = {
  id: string
  event_id: string
  /** The shared track; null for the whole event. */
  track_id: string | null
  label: string | null
  token_sha256: string
  sealed: Uint8Array
  created_at: number
  expires_at: number | null
  revoked_at: number | null
}

/** The moment from which the times of a race count: its common start, or each runner's crossing of the start line. */
export type TimeBasis = 'gun' | 'net'

/** The race of an event: its course, checkpoints and settings. The row is there once any of them is. */
export type RaceRow = {
  event_id: string
  /** Grows with every change, also of the start list. */
  revision: number
  /** Grows with every change of the course or a checkpoint. */
  course_revision: number
  /** Common start of all runners; null if each starts when crossing the line. */
  starts_at_ms: number | null
  /** The moment from which times count if there is a common start. */
  time_basis: TimeBasis
  course_name: string | null
  /** Null without a course, as is its line. */
  course_length_m: number | null
  course_climb_m: number | null
  /** The climb that the organiser states; null for none. */
  stated_climb_m: number | null
  /** The line, as `encodeCourseLine` writes it. */
  course_line: Uint8Array | null
  /** The course with heights from the phones of the event as well, as `encodeCourseLine` writes it; null without. */
  heights_line: Uint8Array | null
  /** Number of people whose phones were looked at for it. */
  heights_people: number
  /** Grows with every change of it. */
  heights_revision: number
  /** JSON of the checkpoints, in the order of the course. */
  checkpoints: string
}

/** A runner of the start list, matched with tracks by `user_id`. */
export type RunnerRow = {
  event_id: string
  user_id: string
  bib: string
  name: string
  category: string | null
  status: 'dnf' | 'dns' | 'dsq' | 'over_limit' | null
  /** Time and place of the status; null where none was given, and without a status. */
  status_at_ms: number | null
  status_place: string | null
  /** Phone number; null if it is not known. Editors alone see it. */
  phone: string | null
  /** Place in the start list. */
  list_order: number
}

/** A time of a runner at a checkpoint that was entered by an operator or imported. Rows are only added. */
export type RunnerTimeRow = {
  event_id: string
  id: string
  user_id: string
  checkpoint_id: string
  /** `rejected`: an operator has decided against a doubtful time, which `time_ms` does not have. */
  source: 'manual' | 'imported' | 'rejected'
  /** Null for a removal, and for a rejection. */
  time_ms: number | null
  /** Name of the operator. */
  noted_by: string
  noted_at: number
  /** Order of the rows of an event: its revision of the race. */
  noted_order: number
}

/**
 * A track as far as it has been followed along the course of its event. It can be computed again from the points at any
 * time; the revisions show whether it is current.
 */
type FollowedTrackRow = {
  track_id: string
  /** Revision of the track, and the part of it that counts. */
  track_revision: string
  course_revision: number
  /** JSON of the state from which following goes on. */
  state: string
}

/** A device that sends with one of the common apps. Its row is locked while its points are assigned to tracks. */
type PhoneDeviceRow = { event_id: string; device_key: string }

/** A track that such a device records. The track itself knows its last point; `last_ms` may be behind it. */
type PhoneRecordingRow = {
  event_id: string
  track_id: string
  device_key: string
  first_ms: number
  last_ms: number
  phase: 'open' | 'silent' | 'ended'
}

/** The erasure of a person's data, or of tracks that an event has kept long enough: the job, and then its receipt. */
export type ErasureRow = {
  id: string
  kind: 'person' | 'retention'
  /** The one event; null for all. */
  event_id: string | null
  /** The person, until the erasure has ended. */
  user_id: string | null
  /** HMAC of the person, and its sealed key; null for a retention. */
  person_mac: string | null
  sealed_key: Uint8Array | null
  /** Id of an operator; null for the admin command, and for a retention. */
  requested_by: string | null
  started_at: number
  finished_at: number | null
  /** JSON of `ErasedCounts`. */
  erased: string
}

/** The frames of an event for viewers with the same delay, and the instance that makes them. */
type LiveSeriesRow = {
  event_id: string
  /** 0 for none. */
  delay_sec: number
  /** The instance that makes the frames; null if none does. */
  owner: string | null
  /** Grows with each sign of life of the owner. Clocks of instances differ, so that no time would do. */
  beat: number
  /** Grows when all frames have been removed, and tracks have to be read anew. */
  epoch: number
  /** The latest frame. It never falls. */
  number: number
  /** The latest whole frame; null if the next one has to be whole. */
  key_number: number | null
}

/** A frame of positions, kept for two minutes and never changed. */
type LiveFrameRow = {
  event_id: string
  delay_sec: number
  number: number
  as_of_ms: number
  /** Time until the next frame was due when this one was made. */
  interval_ms: number
  /** The tracks that differ from the frame before; null if there is none that it continues. */
  changes: Uint8Array | null
  /** All tracks; null in most frames. */
  whole: Uint8Array | null
}

export type TracksTables = IdempotencyTables &
  InspectionTables &
  WebhookTables &
  MaintenanceTables & {
    events: EventRow
    app_tokens: AppTokenRow
    tracks: TrackHeadRow
    track_details: TrackDetailsRow
    device_tracks: DeviceTrackRow
    chunks: ChunkRow
    deleted_tracks: DeletedTrackRow
    binned_tracks: BinnedTrackRow
    shares: ShareRow
    races: RaceRow
    runners: RunnerRow
    runner_times: RunnerTimeRow
    followed_tracks: FollowedTrackRow
    phone_devices: PhoneDeviceRow
    phone_recordings: PhoneRecordingRow
    erasures: ErasureRow
    rehearsals: RehearsalRow
    live_series: LiveSeriesRow
    live_frames: LiveFrameRow
  }

/**
 * The place of each table in a distributed database: a track with its points on one machine, an event with all its
 * tracks' common data on one. Tokens and shares are found by their hashes, so every machine has them.
 */
export const tracksLayout: DatabaseLayout<TracksTables> = {
  tracks: { by: 'id' },
  track_details: { by: 'track_id', with: 'tracks' },
  chunks: { by: 'track_id', with: 'tracks' },
  binned_tracks: { by: 'track_id', with: 'tracks' },
  events: { by: 'id' },
  device_tracks: { by: 'event_id', with: 'events' },
  deleted_tracks: { by: 'event_id', with: 'events' },
  idempotency_keys: { by: 'owner_id', with: 'events' },
  races: { by: 'event_id', with: 'events' },
  runners: { by: 'event_id', with: 'events' },
  runner_times: { by: 'event_id', with: 'events' },
  followed_tracks: { by: 'track_id', with: 'tracks' },
  phone_devices: { by: 'event_id', with: 'events' },
  phone_recordings: { by: 'event_id', with: 'events' },
  live_series: { by: 'event_id', with: 'events' },
  live_frames: { by: 'event_id', with: 'events' },
  app_tokens: 'everywhere',
  shares: 'everywhere',
  erasures: 'coordinator',
  rehearsals: 'coordinator',
  maintenance: 'coordinator',
  ...inspectionLayout,
  ...webhookLayout,
}

/** The purpose of the keys that seal app tokens and share tokens. */
export const TOKENS_PURPOSE = 'app tokens'

/** The purpose of the keys that seal the keys of erasures' receipts. */
export const RECEIPTS_PURPOSE = 'receipts of erasures'

/** Every column of this service whose texts are sealed. */
export const tracksSealedColumns: readonly SealedColumn[] = [
  { table: 'app_tokens', id: 'token_sha256', column: 'sealed', purpose: TOKENS_PURPOSE },
  { table: 'shares', id: 'id', column: 'sealed', purpose: TOKENS_PURPOSE },
  { table: 'erasures', id: 'id', column: 'sealed_key', purpose: RECEIPTS_PURPOSE },
  ...webhookSealedColumns,
]
