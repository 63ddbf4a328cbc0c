import { LEG_KINDS } from '../legs/leg-kinds.ts'
import type { Trace } from '../trace/trace.ts'

/**
 * The known altitudes of a trace, divided into runs between pauses and stops. A climb is never counted from one run to
 * the next: a lift taken during a pause is not a climb.
 */
export type AltitudeRuns = {
  timeMs: Float64Array
  meters: Float64Array
  /** Index of the first altitude of each run; the last entry is the number of altitudes. */
  bounds: Int32Array
}

/**
 * No activity on earth is above the edge of space (Kármán line, FAI Sporting Code, section 8) or as far below the
 * ground; a value beyond is not a measurement, and sums of such values would overflow.
 */
const MAX_ALTITUDE_METERS = 100_000

/** With fewer altitudes there is nothing to smooth; smoothing would erase real climbs (gpx.studio issue 102). */
export const MIN_ALTITUDES = 30

/** Collects the altitudes of a trace; `kinds` comes from `legKinds`. */
export function altitudeRuns(trace: Trace, kinds: Uint8Array): AltitudeRuns {
  const known = countKnown(trace)
  const timeMs = new Float64Array(known)
  const meters = new Float64Array(known)
  const bounds: number[] = [0]
  let count = 0
  for (let i = 0; i < trace.count; i++) {
    const breaks = kinds[i] === LEG_KINDS.paused || kinds[i] === LEG_KINDS.stopped
    if (breaks && count > bounds[bounds.length - 1]) bounds.push(count)
    if (!isKnown(trace.altitude[i])) continue
    timeMs[count] = trace.timeMs[i]
    meters[count++] = trace.altitude[i]
  }
  if (count > bounds[bounds.length - 1]) bounds.push(count)
  return { timeMs, meters, bounds: Int32Array.from(bounds) }
}

function isKnown(meters: number): boolean {
  return Math.abs(meters) <= MAX_ALTITUDE_METERS
}

function countKnown(trace: Trace): number {
  let count = 0
  for (let i = 0; i < trace.count; i++) if (isKnown(trace.altitude[i])) count++
  return count
}

/** Returns the number of points with an altitude, including those that no activity can have. */
export function countAltitudes(trace: Trace): number {
  let count = 0
  for (let i = 0; i < trace.count; i++) if (!Number.isNaN(trace.altitude[i])) count++
  return count
}
