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

/** The stored state of a track, and when it was stopped and went on last, by the server's clock. */
type StoredState = {
  state: TrackState
  endMs: number | null
  stoppedAtMs: number | null
  resumedAtMs: number | null
  pauses: readonly Pause[]
}

/** Returns the state of a track as it was known at a time: a later end, pause or continuation has not happened yet. */
export function stateAt(stored: StoredState, atMs: number): TrackState {
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
