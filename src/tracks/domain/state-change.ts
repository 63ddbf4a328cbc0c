import { pausesQuotaReached } from '../errors.ts'
import { changeState, decodePauses, encodePauses } from './pauses.ts'
import type { TrackState } from './track-state.ts'

/**
 * Every request for a track reads its pauses: this many take some 60 kB. A phone that pauses by itself makes hundreds.
 */
const MAX_PAUSES = 2000

/** The columns of a track that a change of its state reads. */
type TrackInState = { state: TrackState; pauses: string; revision: number }

/** The columns of a track that finishing it reads. */
type TrackToFinish = TrackInState & { start_ms: number; end_ms: number | null; last_point_ms: number | null }

/** The columns that a change of state writes. */
type StateChange = { state: TrackState; pauses?: string; revision?: number; stopped_at?: number; resumed_at?: number }

/**
 * Returns the new state with the resulting pauses. Statistics depend on pauses and not on the state, so only new pauses
 * make a new revision, for which they are computed again.
 * @throws pausesQuotaReached
 */
export function stateChange(current: TrackInState, next: TrackState, nowMs: number): StateChange {
  const before = { state: current.state, pauses: decodePauses(current.pauses) }
  const { state, pauses } = changeState(before, next, nowMs)
  const changed = { state, ...stateTimes(current.state, next, nowMs) }
  if (pauses === before.pauses) return changed
  if (pauses.length > MAX_PAUSES) throw pausesQuotaReached()
  return { ...changed, pauses: encodePauses(pauses), revision: current.revision + 1 }
}

/** Returns when a track was stopped or went on, if the change does so: spectators may see that only later. */
function stateTimes(before: TrackState, next: TrackState, nowMs: number) {
  if ((before === 'stopped') === (next === 'stopped')) return {}
  return next === 'stopped' ? { stopped_at: nowMs } : { resumed_at: nowMs }
}

/**
 * Returns what finishing a track changes: it is stopped, and ends with its last point if it has no end. Returns
 * undefined for a finished track, so that finishing it again neither writes nor computes.
 */
export function finishChange(current: TrackToFinish, nowMs: number): (StateChange & { end_ms: number }) | undefined {
  if (current.state === 'stopped' && current.end_ms !== null) return undefined
  return {
    ...stateChange(current, 'stopped', nowMs),
    end_ms: current.end_ms ?? Math.max(current.start_ms, current.last_point_ms ?? nowMs),
  }
}
