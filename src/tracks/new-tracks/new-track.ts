import { randomUUID } from 'node:crypto'
import type { FieldError } from '#platform/errors.ts'
import { parseDateTime } from '#platform/time/date-time.ts'
import { searchText } from '../domain/search-text.ts'
import { generateTitle, isBlank } from '../domain/title.ts'
import type { StatsCreate, TrackCreate } from '../schemas/track.ts'
import type { TrackRow } from '../storage/tables.ts'
import type { TrackScope } from '../storage/track-scope.ts'

/** Input for a new track from the service and its points rather than from the request's fields. */
type NewTrackContext = {
  /** The event of the track, and the person of a token that is bound to one. */
  scope: TrackScope
  nowMs: number
  /** Zone of the event, or of the server's settings, for a generated title. */
  titleTimeZone: string
  state: 'running' | 'stopped'
  /**
   * Times of the first and the last point of a track that comes with points. A file can state the local
   * time of the start, in minutes east of UTC.
   */
  pointTimes?: { firstMs: number; lastMs: number; offsetMin?: number | undefined }
}

/** Makes the row of a new track from validated fields. Its points are counted when they are stored. */
export function newTrackRow(fields: TrackCreate, context: NewTrackContext): TrackRow {
  const { scope, nowMs, titleTimeZone, state, pointTimes } = context
  const start = startOf(fields, context)
  const title = isBlank(fields.title ?? '')
    ? generateTitle(start.timeMs, start.offsetMin, titleTimeZone)
    : fields.title!
  const userId = scope.userId ?? fields.user_id ?? null
  return {
    id: randomUUID(),
    event_id: scope.eventId,
    device_track_id: fields.device_track_id,
    title,
    activity_type: fields.activity_type ?? 'run',
    state,
    start_ms: start.timeMs,
    end_ms: endOf(fields) ?? (state === 'stopped' && pointTimes ? Math.max(pointTimes.lastMs, start.timeMs) : null),
    user_id: userId,
    image_url: fields.image_url ?? null,
    pauses: '[]',
    stopped_at: null,
    resumed_at: null,
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
    shown_from_ms: null,
    shown_until_ms: null,
    created_at: nowMs,
    updated_at: nowMs,
    coarse_updated_at: nowMs,
    to_compact: 1,
  }
}

/**
 * Refuses a synced track that ends before it starts. `track` may break its schema: times that cannot be read are
 * skipped. `defaultStartMs` is the start of a track without `start_ts`, undefined if it is not known.
 */
export function syncTimeErrors(track: unknown, defaultStartMs: number | undefined): FieldError[] {
  const { start_ts, end_ts } = (track ?? {}) as Record<string, unknown>
  const startMs = start_ts === undefined || start_ts === null ? defaultStartMs : timeOf(start_ts)
  const endMs = timeOf(end_ts)
  return startMs !== undefined && endMs !== undefined && endMs < startMs
    ? [{ path: 'track/end_ts', message: 'must not be before start_ts' }]
    : []
}

function timeOf(value: unknown): number | undefined {
  return typeof value === 'string' ? parseDateTime(value)?.timeMs : undefined
}

/** Returns the JSON of the statistics that a client sent, without absent ones; null if it sent none. */
export function givenStatistics(stats: StatsCreate | null | undefined, names: readonly string[]): string | null {
  const given = Object.entries(stats ?? {}).filter(([name, value]) => names.includes(name) && value !== null)
  return given.length === 0 ? null : JSON.stringify(Object.fromEntries(given))
}

function startOf(fields: TrackCreate, { nowMs, pointTimes }: NewTrackContext) {
  if (typeof fields.start_ts === 'string') return parseDateTime(fields.start_ts)!
  return { timeMs: pointTimes?.firstMs ?? nowMs, offsetMin: pointTimes?.offsetMin }
}

function endOf(fields: TrackCreate & { end_ts?: string | null }): number | undefined {
  return typeof fields.end_ts === 'string' ? parseDateTime(fields.end_ts)!.timeMs : undefined
}
