import { randomUUID } from 'node:crypto'
import type { FieldError } from '#platform/errors.ts'
import { parseDateTime } from '#platform/time/date-time.ts'
import { searchText } from '../domain/search-text.ts'
import { generateTitle, isBlank } from '../domain/title.ts'
import type { GivenStatistics, NewTrack, SyncedTrack } from '../schemas/track.ts'
import type { TrackRow } from '../storage/tables.ts'

/** What a new track takes from the service and its points rather than from the request. */
export type NewTrackContext = {
  eventId: string
  nowMs: number
  titleTimeZone: string
  state: 'running' | 'stopped'
  /** Times of the first and the last point, where the track comes with points. */
  pointTimes?: { firstMs: number; lastMs: number }
}

/** The row of a new track from validated fields; its points are counted when they are stored. */
export function newTrackRow(fields: NewTrack, context: NewTrackContext): TrackRow {
  const { eventId, nowMs, titleTimeZone, state, pointTimes } = context
  const start = startOf(fields, context)
  const title = isBlank(fields.title ?? '')
    ? generateTitle(start.timeMs, start.offsetMin, titleTimeZone)
    : fields.title!
  const userId = fields.user_id ?? null
  return {
    id: randomUUID(),
    event_id: eventId,
    device_track_id: fields.device_track_id,
    title,
    activity_type: fields.activity_type ?? 'run',
    state,
    start_ms: start.timeMs,
    end_ms: endOf(fields) ?? (state === 'stopped' && pointTimes ? Math.max(pointTimes.lastMs, start.timeMs) : null),
    user_id: userId,
    image_url: fields.image_url ?? null,
    pauses: '[]',
    revision: 0,
    point_count: 0,
    last_point_ms: null,
    loose_chunks: 0,
    given_stats: null,
    computed_stats: null,
    computed_revision: null,
    computed_method: null,
    search_text: searchText(title, fields.device_track_id, userId),
    distance_m: null,
    created_at: nowMs,
    updated_at: nowMs,
  }
}

/** What is wrong with the times of a synced track taken together. */
export function timeErrors(fields: SyncedTrack, context: NewTrackContext): FieldError[] {
  const endMs = endOf(fields)
  return endMs !== undefined && endMs < startOf(fields, context).timeMs
    ? [{ path: 'track/end_ts', message: 'must not be before start_ts' }]
    : []
}

/** The statistics that a client gave, with only what it gave; undefined where that is nothing. */
export function givenStatistics(stats: GivenStatistics | null | undefined, names: readonly string[]): string | null {
  const given = Object.entries(stats ?? {}).filter(([name, value]) => names.includes(name) && value !== null)
  return given.length === 0 ? null : JSON.stringify(Object.fromEntries(given))
}

function startOf(fields: NewTrack, { nowMs, pointTimes }: NewTrackContext) {
  if (typeof fields.start_ts === 'string') return parseDateTime(fields.start_ts)!
  return { timeMs: pointTimes?.firstMs ?? nowMs, offsetMin: undefined }
}

function endOf(fields: NewTrack & { end_ts?: string | null }): number | undefined {
  return typeof fields.end_ts === 'string' ? parseDateTime(fields.end_ts)!.timeMs : undefined
}
