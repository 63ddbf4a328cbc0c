import type { ExaminedTrack } from './examined-track.ts'
import { maxOwnSpeed, maxPositionSpeed } from './speed/max-speed.ts'

/** An extreme value, with the index of its point in the trace. */
export type Extreme = { value: number; index: number }

type AltitudeExtremes = { lowest: Extreme | undefined; highest: Extreme | undefined }

/**
 * Returns the lowest and the highest altitude in metres, as sent, among those in which climbs are counted: an altitude
 * that leaps away and back, or that no activity can have, is neither. The first of equal ones; undefined without any.
 */
export function altitudeExtremes({ trace, altitudes }: Pick<ExaminedTrack, 'trace' | 'altitudes'>): AltitudeExtremes {
  const { timeMs, meters } = altitudes
  let [low, high] = [0, 0]
  for (let i = 1; i < meters.length; i++) {
    if (meters[i] < meters[low]) low = i
    if (meters[i] > meters[high]) high = i
  }
  if (meters.length === 0) return { lowest: undefined, highest: undefined }
  const at = (i: number): Extreme => ({ value: meters[i], index: trace.timeMs.indexOf(timeMs[i]) })
  return { lowest: at(low), highest: at(high) }
}

/** The source of a maximum speed: the points' own speeds, or speeds between positions. */
export type SpeedSource = 'points' | 'positions'

/** Returns the maximum speed in metres per second with its source; no extreme if no speed is known. */
export function speedExtreme(track: ExaminedTrack): { fastest: Extreme | undefined; source: SpeedSource } {
  const { trace, pauses, legMeters, starts, limitMps, ownSpeeds } = track
  const own = ownSpeeds ? maxOwnSpeed(trace, pauses, limitMps) : undefined
  if (own !== undefined) return { fastest: own, source: 'points' }
  return { fastest: maxPositionSpeed(trace, legMeters, starts, limitMps), source: 'positions' }
}
