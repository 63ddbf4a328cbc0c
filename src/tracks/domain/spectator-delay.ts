import type { Pause } from './pauses.ts'
import type { TrackState } from './track-state.ts'

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

/** The stored state of a track. `updatedAtMs` is the time of its latest change. */
type StoredState = { state: TrackState; endMs: number | null; updatedAtMs: number; pauses: readonly Pause[] }

/** Returns the state of a track as it was at a time: a later end, pause or continuation has not happened yet. */
export function stateAt({ state, endMs, updatedAtMs, pauses }: StoredState, atMs: number): TrackState {
  if (state === 'stopped' && (endMs ?? updatedAtMs) <= atMs) return 'stopped'
  return pauses.some(({ fromMs, toMs }) => fromMs <= atMs && toMs > atMs) ? 'paused' : 'running'
}
