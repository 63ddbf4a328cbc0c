import { LEG_KINDS } from '../legs/leg-kinds.ts'
import type { Trace } from '../trace/trace.ts'

/**
 * The known altitudes of a trace, cut into runs between pauses and stops. A climb is never counted from one run to the next: a
 * lift taken during a pause is no climb.
 */
export type AltitudeRuns = {
  timeMs: Float64Array
  meters: Float64Array
  /** Index of the first altitude of each run, and their number as the last entry. */
  bounds: Int32Array
}

/**
 * No activity on earth is higher than where space begins (Kármán line, FAI Sporting Code, section 8) or as deep; a
 * value beyond is no measurement, and sums of such values would overflow.
 */
const HIGHEST_METERS = 100_000

/** With fewer altitudes there is nothing to smooth, and smoothing would erase real climbs (gpx.studio issue 102). */
export const FEWEST_ALTITUDES = 30

/** Collects the altitudes; `kinds` are those of `legKinds`. */
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
  return Math.abs(meters) <= HIGHEST_METERS
}

function countKnown(trace: Trace): number {
  let count = 0
  for (let i = 0; i < trace.count; i++) if (isKnown(trace.altitude[i])) count++
  return count
}

/**
 * Lowest and highest of all altitudes that the points say, undefined without any; 0 and negative ones are as good as
 * others. What the climbs leave out is not left out here: a point that is accepted is accepted with its altitude.
 */
export function altitudeRange({ altitude: meters }: Pick<Trace, 'altitude'>) {
  let minAltitudeMeters: number | undefined
  let maxAltitudeMeters: number | undefined
  for (const altitude of meters) {
    if (Number.isNaN(altitude)) continue
    if (minAltitudeMeters === undefined || altitude < minAltitudeMeters) minAltitudeMeters = altitude
    if (maxAltitudeMeters === undefined || altitude > maxAltitudeMeters) maxAltitudeMeters = altitude
  }
  return { minAltitudeMeters, maxAltitudeMeters }
}

/** How many points say an altitude, be it one that no activity can have. */
export function countAltitudes(trace: Trace): number {
  let count = 0
  for (let i = 0; i < trace.count; i++) if (!Number.isNaN(trace.altitude[i])) count++
  return count
}
