import type { TRACK_STATES } from '../schemas/track.ts'

/** `running`, `paused` or `stopped`. */
export type TrackState = (typeof TRACK_STATES)[number]
