import type { SharedTrack } from '../../../src/tracks/schemas/track-summaries.ts'
import type { LiveTracks } from './live-tracks.ts'

/** Time after the last end from which an event without a track in progress is over. */
const OVER_AFTER_MS = 6 * 3_600_000

/** Returns when the last track of a past event ended; undefined while any is in progress, and for some hours after. */
export function overSince({ byId }: LiveTracks<SharedTrack>, nowMs: number): number | undefined {
  let overMs = Number.NEGATIVE_INFINITY
  for (const { track } of byId.values()) {
    if (track === undefined) continue
    if (track.state !== 'stopped') return undefined
    overMs = Math.max(overMs, Date.parse(track.end_ts ?? track.last_point_at ?? track.start_ts))
  }
  return Number.isFinite(overMs) && overMs < nowMs - OVER_AFTER_MS ? overMs : undefined
}
