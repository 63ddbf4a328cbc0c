import type { TrackState } from './track-state.ts'

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

/** Returns the pauses as they were known at a time: without later ones, and with the one that lasted then open. */
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
