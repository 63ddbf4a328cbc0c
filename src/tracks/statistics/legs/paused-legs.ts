import type { Pause } from '../../domain/pauses.ts'

/**
 * Marks each leg that overlaps a pause for any length of time with 1, at the index of the point where it ends: a lift
 * or a drive on it is not part of the activity (gpx.studio and FIT timers split there too). Touching a pause at one
 * instant is not an overlap. `pauses` are in order and do not overlap each other.
 */
export function pausedLegs(timeMs: Float64Array, pauses: readonly Pause[]): Uint8Array {
  const paused = new Uint8Array(timeMs.length)
  const lasting = pauses.filter(({ fromMs, toMs }) => fromMs < toMs)
  let next = 0
  for (let i = 1; i < timeMs.length && next < lasting.length; i++) {
    while (next < lasting.length && lasting[next].toMs <= timeMs[i - 1]) next++
    if (next < lasting.length && lasting[next].fromMs < timeMs[i]) paused[i] = 1
  }
  return paused
}
