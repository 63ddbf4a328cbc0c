import Type, { type Static } from 'typebox'
import type { TrackSummary } from '../api/operator-track-schemas.ts'
import type { FrameLatest } from '../frames/schemas.ts'

export const LiveQuery = Type.Object({
  last_event_id: Type.Optional(
    Type.String({
      maxLength: 20,
      description:
        'Same as the header `Last-Event-ID`, for a page that reconnects itself. The header takes precedence.',
    }),
  ),
  frames: Type.Optional(
    Type.Enum(['true', 'bytes', 'false'], {
      description:
        'The stream says only that a frame of positions is there: `frame` events with what `…/frames/latest` answers, and `ended`. With `bytes`, each new `frame` also has the frame in its binary form, in base64, as `bytes`.',
    }),
  ),
})
export type LiveQuery = Static<typeof LiveQuery>

// Live events: `event: <name>`, `data: <JSON>`

/** `event: track`: the current state of a new or changed track. Spectators get a `SharedTrack`. */
export type LiveTrack = TrackSummary & {
  /** Charge of the phone by its latest points that tell it, in per cent; null if unknown. For operators only. */
  battery_percent: number | null
}
// `event: track-deleted`: `{ id: string }`
/**
 * `event: points`: downsampled positions to add to the end of a track's line. Those not later than the last known one
 * are repetitions. `has_gap`: positions before the first one were left out; the series has them.
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
 * `event: as-of` every few seconds, and as a part of `ready`: with all events before
 * it, the client has the state of this time.
 */
export type LiveAsOf = {
  /** Server's clock. */
  as_of: string
  /** Milliseconds from `as_of` until the event was written. */
  lag_ms: number
  /** Time by which everything in this stream is shown later; 0 for none. */
  delay_sec: number
}
/** `event: ready` when the snapshot is complete. */
export type LiveReady = LiveAsOf & {
  /**
   * Older tracks of the event that a whole snapshot leaves out; absent if it has only changes. Other tracks that a
   * whole one does not have are gone.
   */
  tracks_left_out?: number
}
/**
 * `event: frame` of streams of frames. `bytes` is the frame `number`, in base64, as its address has it. It is absent
 * for a frame that was there before the stream, and without `frames=bytes`.
 */
export type LiveFrame = FrameLatest & { bytes?: string }
/** `event: ended`: the event or share has ended. Reconnecting is of no use. */
export type LiveEnded = { reason: 'revoked' | 'expired' | 'deleted' }
