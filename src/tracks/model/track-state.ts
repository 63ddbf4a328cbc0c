import { pausesQuotaReached } from './errors.ts'

export const TRACK_STATES = ['running', 'paused', 'stopped'] as const

export type TrackState = (typeof TRACK_STATES)[number]

export const ACTIVITY_TYPES = ['run', 'walk', 'bike', 'hike'] as const

export type ActivityType = (typeof ACTIVITY_TYPES)[number]

/** Types of the messages about tracks that webhooks get. */
export const TRACK_EVENTS = ['track.created', 'track.finished', 'track.reopened', 'track.deleted'] as const

/** The columns by which a retention judges a track. */
type TrackMoment = {
  start_ms: number
  end_ms: number | null
  last_point_ms: number | null
  created_at: number
  updated_at: number
}

/**
 * Returns the time from which the days of a track count: its end, or its arrival if that was later, because
 * an old recording must not vanish as it is imported. An end in the future, of a phone whose clock is
 * wrong, counts as that of the last change.
 */
export function keptSinceMs({ created_at, updated_at, end_ms, last_point_ms, start_ms }: TrackMoment): number {
  return Math.max(created_at, Math.min(end_ms ?? last_point_ms ?? start_ms, updated_at))
}

/** Tells whether a track is finished: stopped, with an end. A state of `stopped` alone sets no end. */
export function isFinished({ state, end_ms }: { state: TrackState; end_ms: number | null }): boolean {
  return state === 'stopped' && end_ms !== null
}

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
 * Returns the changes that finish a track: it is stopped, and ends with its last point if it has no end. Returns
 * undefined for a finished track, so that finishing it again neither writes nor computes.
 */
export function finishChange(current: TrackToFinish, nowMs: number): (StateChange & { end_ms: number }) | undefined {
  if (current.state === 'stopped' && current.end_ms !== null) return undefined
  return {
    ...stateChange(current, 'stopped', nowMs),
    end_ms: current.end_ms ?? Math.max(current.start_ms, current.last_point_ms ?? nowMs),
  }
}

/**
 * Returns the changes that reopen a stopped track: it goes on, without an end. Returns undefined for one that is not
 * stopped, so that reopening it again does not write.
 */
export function reopenChange(current: TrackInState, nowMs: number): (StateChange & { end_ms: null }) | undefined {
  if (current.state !== 'stopped') return undefined
  return { ...stateChange(current, 'running', nowMs), end_ms: null }
}

/** A declared pause by the server's clock; `toMs` is Infinity while it lasts. */
export type Pause = { fromMs: number; toMs: number }

/**
 * State of a track with its pauses so far: in order, not overlapping, the last one open while the state is `paused`.
 */
export type StateWithPauses = { state: TrackState; pauses: readonly Pause[] }

/**
 * Returns the state and pauses after a change to `next` at `nowMs`. A pause runs from the change to `paused` to the
 * next other state; pausing a paused track changes nothing. A clock set back never makes pauses overlap.
 */
export function changeState(current: StateWithPauses, next: TrackState, nowMs: number): StateWithPauses {
  const wasPaused = current.state === 'paused'
  if (wasPaused === (next === 'paused')) return { state: next, pauses: current.pauses }
  if (wasPaused) return { state: next, pauses: current.pauses.flatMap((pause) => endPause(pause, nowMs)) }
  const fromMs = Math.max(nowMs, current.pauses.at(-1)?.toMs ?? nowMs)
  return { state: next, pauses: [...current.pauses, { fromMs, toMs: Number.POSITIVE_INFINITY }] }
}

/** Ends an open pause at `nowMs` and drops it if it has no length; returns an ended one unchanged. */
function endPause(pause: Pause, nowMs: number): Pause[] {
  if (pause.toMs !== Number.POSITIVE_INFINITY) return [pause]
  return nowMs > pause.fromMs ? [{ fromMs: pause.fromMs, toMs: nowMs }] : []
}

/** Returns the milliseconds between `fromMs` and `toMs` that are in pauses. */
export function pausedMsBetween(pauses: readonly Pause[], fromMs: number, toMs: number): number {
  let total = 0
  for (const pause of pauses) total += Math.max(0, Math.min(pause.toMs, toMs) - Math.max(pause.fromMs, fromMs))
  return total
}

/** Returns the pauses as they were known at a time: without later ones, and with a pause that lasted then open. */
export function pausesUntil(pauses: readonly Pause[], untilMs: number): Pause[] {
  return pauses
    .filter(({ fromMs }) => fromMs <= untilMs)
    .map(({ fromMs, toMs }) => ({ fromMs, toMs: toMs > untilMs ? Number.POSITIVE_INFINITY : toMs }))
}

/** Formats pauses as compact JSON for a text column: `[[from,to],[from,null]]`, null for the end of an open one. */
export function encodePauses(pauses: readonly Pause[]): string {
  return JSON.stringify(pauses.map(({ fromMs, toMs }) => [fromMs, Number.isFinite(toMs) ? toMs : null]))
}

/** Parses the output of `encodePauses`; an empty text means no pauses. */
export function decodePauses(text: string): Pause[] {
  if (text === '') return []
  const pairs: [number, number | null][] = JSON.parse(text)
  return pairs.map(([fromMs, toMs]) => ({ fromMs, toMs: toMs ?? Number.POSITIVE_INFINITY }))
}

/** The part of a track that is shown, in milliseconds since 1970; both ends belong to it. */
export type ShownPart = { fromMs: number; untilMs: number }

/** A part that is the whole track. */
export const WHOLE_TRACK: ShownPart = { fromMs: Number.NEGATIVE_INFINITY, untilMs: Number.POSITIVE_INFINITY }

/** Returns the part of a track that is shown, as the operator trimmed it; null is an open end. */
export function shownPartOf(row: { shown_from_ms: number | null; shown_until_ms: number | null }): ShownPart {
  return {
    fromMs: row.shown_from_ms ?? WHOLE_TRACK.fromMs,
    untilMs: row.shown_until_ms ?? WHOLE_TRACK.untilMs,
  }
}

/** The columns by which the last visible point of a track is known. */
type ShownEnd = Parameters<typeof shownPartOf>[0] & { id: string; point_count: number; last_point_ms: number | null }

/**
 * Identifies the last visible point of a track. Points are never changed or removed, so a track with the same number of
 * points and the same shown part ends alike.
 */
export function shownEndKey({ id, point_count, last_point_ms, shown_from_ms, shown_until_ms }: ShownEnd): string {
  return `${id} ${point_count} ${last_point_ms} ${shown_from_ms} ${shown_until_ms}`
}

/** Returns true if an end is trimmed. */
export function isTrimmed({ fromMs, untilMs }: ShownPart): boolean {
  return fromMs !== WHOLE_TRACK.fromMs || untilMs !== WHOLE_TRACK.untilMs
}

/** Refuses a part that ends before it begins. Null is an open end. */
export function shownPartProblems(fromMs: number | null | undefined, untilMs: number | null | undefined) {
  const isWrong = typeof fromMs === 'number' && typeof untilMs === 'number' && untilMs <= fromMs
  return isWrong ? [{ path: 'shown_until', message: 'must be after shown_from' }] : []
}
