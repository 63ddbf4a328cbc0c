import Type, { type Static } from 'typebox'
import type { TrackSummary } from './track-summaries.ts'

export const LiveQuery = Type.Object({
  last_event_id: Type.Optional(
    Type.String({
      maxLength: 20,
      description:
        'As the header `Last-Event-ID`, for a page that connects anew by itself; the header counts before it.',
    }),
  ),
})
export type LiveQuery = Static<typeof LiveQuery>

// Live events: `event: <name>`, `data: <JSON>`

/** `event: track`: a track as it is now; it is new, or has changed. Spectators get a `SharedTrack`. */
export type LiveTrack = TrackSummary
/** `event: track-deleted` */
export type LiveTrackDeleted = { id: string }
/**
 * `event: points`: positions to add to the end of a track's line, thinned. Those not later than the last one that is
 * known were sent before. `has_gap`: positions before the first one were left out; the series has them.
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
/** `event: ready`: what had happened before is told; what follows happens now. */
export type LiveReady = Record<string, never>
/** `event: ended`: the share has ended; there is no use in coming back. */
export type LiveEnded = { reason: 'revoked' | 'expired' | 'deleted' }
