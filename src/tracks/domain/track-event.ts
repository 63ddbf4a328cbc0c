import type { TrackState } from './track-state.ts'

/** Types of the messages about tracks that webhooks get. */
export const TRACK_EVENTS = ['track.created', 'track.finished', 'track.deleted'] as const

/** Tells whether a track is finished: stopped, with an end. A state of `stopped` alone sets no end. */
export function isFinished({ state, end_ms }: { state: TrackState; end_ms: number | null }): boolean {
  return state === 'stopped' && end_ms !== null
}
