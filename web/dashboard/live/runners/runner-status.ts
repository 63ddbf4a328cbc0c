import type { SharedTrack } from '../../../../src/tracks/schemas/track-summaries.ts'

/**
 * The state of a runner on a live map. `silent` is in progress by what is known, but has not been heard of for long.
 */
export type RunnerStatus = SharedTrack['state'] | 'silent'

/** A point may be this far ahead of the server's clock: the clocks of phones are not exact. */
const MAX_AHEAD_MS = 5 * 60_000

/** The times of a track that tell when it was last heard of. */
type HeardTrack = Pick<SharedTrack, 'last_point_at' | 'start_ts' | 'updated_at'>

/**
 * Returns when a track was last heard of, never later than `nowMs`, by the server's clock. `lastTimeMs` is the time of
 * the last position on the map. Where the clock of a phone is wrong by years, the time of the latest change counts.
 */
export function heardMs(track: HeardTrack, lastTimeMs: number, nowMs: number): number {
  const pointMs = Math.max(lastTimeMs, Date.parse(track.last_point_at ?? track.start_ts))
  if (pointMs <= nowMs + MAX_AHEAD_MS) return Math.min(pointMs, nowMs)
  const changedMs = Date.parse(track.updated_at)
  return Number.isNaN(changedMs) ? nowMs : Math.min(changedMs, nowMs)
}

/** Returns the status of a track that was last heard of at a time. A paused track does not send, and is not silent. */
export function statusOf(
  { state }: Pick<SharedTrack, 'state'>,
  heardAtMs: number,
  nowMs: number,
  noSignalAfterSec: number,
): RunnerStatus {
  return state === 'running' && nowMs - heardAtMs > noSignalAfterSec * 1000 ? 'silent' : state
}
