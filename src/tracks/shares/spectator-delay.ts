import { crc32 } from 'node:zlib'
import type { NamedTrack } from '../model/runner-names.ts'
import type { TrackRow } from '../model/tables.ts'
import type { ShownTrackRow } from '../model/track-rows.ts'
import {
  decodePauses,
  encodePauses,
  isTrimmed,
  type Pause,
  pausesUntil,
  shownPartOf,
  type TrackState,
} from '../model/track-state.ts'

/** The shown time moves in steps, so that all spectators who ask within one share an answer. */
const STEP_MS = 5000

/**
 * Returns the time up to which spectators see an event with a delay: nothing later may leave the server. It grows in
 * steps, and is never later than `nowMs` minus the delay. Infinity without a delay.
 */
export function shownUntil(delaySec: number | null, nowMs: number): number {
  if (delaySec === null || delaySec <= 0) return Number.POSITIVE_INFINITY
  return Math.floor((nowMs - delaySec * 1000) / STEP_MS) * STEP_MS
}

/** The stored state of a track, and when it was stopped and went on last, by the server's clock. */
type StoredState = {
  state: TrackState
  endMs: number | null
  stoppedAtMs: number | null
  resumedAtMs: number | null
  pauses: readonly Pause[]
}

/** Returns the state of a track as it was known at a time: a later end, pause or continuation has not happened yet. */
function stateAt(stored: StoredState, atMs: number): TrackState {
  if (wasStoppedAt(stored, atMs)) return 'stopped'
  return stored.pauses.some(({ fromMs, toMs }) => fromMs <= atMs && toMs > atMs) ? 'paused' : 'running'
}

/**
 * A phone may state an end long before it is finished. Nobody knows of that end until then. A track that was created as
 * stopped has no other time of its end.
 */
function wasStoppedAt({ state, endMs, stoppedAtMs, resumedAtMs }: StoredState, atMs: number): boolean {
  const goesOnLater = resumedAtMs !== null && resumedAtMs > atMs
  return (state === 'stopped' || goesOnLater) && Math.max(stoppedAtMs ?? atMs, endMs ?? atMs) <= atMs
}

/** The points of a track up to a time: how many there are, and the time of the latest; null for none. */
export type DelayedEnd = { count: number; lastMs: number | null }

/** The columns that tell what has happened to a track. */
type Happened = Omit<ShownTrackRow, 'id' | 'title'> & {
  /** Positions alone do not need it. */
  altitude_reference?: TrackRow['altitude_reference']
}

/**
 * Returns what had happened to a track by a time. It is a pure function of what had happened by then: whatever has come
 * since leaves every column as it is, and so everything that is computed, kept or sent because of a difference. What
 * people edit (activity, shown part) counts at once.
 * @param end the points up to that time
 */
export function delayedColumns(row: Happened, untilMs: number, end: DelayedEnd) {
  const known = decodePauses(row.pauses)
  const { stopped_at: stoppedAtMs, resumed_at: resumedAtMs } = row
  const state = stateAt({ state: row.state, endMs: row.end_ms, stoppedAtMs, resumedAtMs, pauses: known }, untilMs)
  const endMs = state === 'stopped' ? row.end_ms : null
  const past = pausesUntil(known, untilMs)
  const pauses = encodePauses(past)
  const reference = row.altitude_reference ? [row.altitude_reference] : []
  return {
    state,
    end_ms: endMs,
    stopped_at: null,
    resumed_at: null,
    pauses,
    point_count: end.count,
    last_point_ms: end.lastMs,
    // Whatever is computed from the points of this row ends here. It stays while nothing new comes into view.
    shown_until_ms: Math.min(row.shown_until_ms ?? Number.POSITIVE_INFINITY, end.lastMs ?? row.start_ms),
    revision: revisionOf(end.count, [pauses, row.activity_type, row.shown_from_ms, row.shown_until_ms, ...reference]),
    updated_at: latestOf([row.start_ms, end.lastMs, endMs, ...changesOf(past)]),
  } satisfies Partial<TrackRow>
}

/**
 * Returns a whole track as it was at a time. The statistics are still missing. Each column is named, so that a new one
 * is thought about.
 */
export function delayedRow(row: TrackRow & NamedTrack, untilMs: number, end: DelayedEnd): TrackRow & NamedTrack {
  const columns = delayedColumns(row, untilMs, end)
  const { state, updated_at } = columns
  return {
    ...columns,
    id: row.id,
    event_id: row.event_id,
    device_track_id: row.device_track_id,
    user_id: row.user_id,
    title: row.title,
    runner_name: row.runner_name ?? null,
    search_text: row.search_text,
    activity_type: row.activity_type,
    image_url: row.image_url,
    start_ms: row.start_ms,
    shown_from_ms: row.shown_from_ms,
    altitude_reference: row.altitude_reference,
    created_at: row.start_ms,
    coarse_updated_at: updated_at,
    // Those of the device describe the whole activity.
    given_stats: state === 'stopped' && !isTrimmed(shownPartOf(row)) ? row.given_stats : null,
    computed_stats: null,
    computed_revision: null,
    computed_method: null,
    distance_m: null,
    loose_chunks: 0,
    to_compact: 0,
  }
}

/** Stands for the points, and for all else that figures depend on. It is negative, which no stored revision is. */
function revisionOf(count: number, rest: readonly (string | number | null)[]): number {
  return -(count * 2 ** 32 + crc32(rest.join(' ')))
}

function changesOf(pauses: readonly Pause[]): number[] {
  return pauses.flatMap(({ fromMs, toMs }) => (Number.isFinite(toMs) ? [fromMs, toMs] : [fromMs]))
}

function latestOf(times: readonly (number | null)[]): number {
  return times.reduce<number>((latest, timeMs) => Math.max(latest, timeMs ?? latest), Number.NEGATIVE_INFINITY)
}
