import type { Pause } from '../../domain/pauses.ts'
import type { ShownPart } from '../../domain/shown-part.ts'
import type { PointColumns } from '../../points/point-columns.ts'
import { pointsWithin } from '../../points/point-set.ts'
import { examineTrack, type StatisticsSettings } from '../examined-track.ts'
import { LEG_KINDS } from '../legs/leg-kinds.ts'
import { reduceInTime } from './reduce-in-time.ts'

/** Largest error of a position in a replay; smaller ones are within the accuracy of a phone. */
const TOLERANCE_METERS = 4

/** A track reduced to what a replay shows, in columns. Times are milliseconds since 1970, ascending. */
export type ReplayLine = {
  timeMs: Float64Array
  latitude: Float64Array
  longitude: Float64Array
  /** Distance travelled since the first point that is shown. */
  distanceMeters: Float64Array
}

/** The part of a track that is shown, and the most positions to keep of it. */
export type ReplayPart = ShownPart & { maxPositions: number }

/**
 * Returns the line of a track for a replay. The points are in canonical order; points
 * that statistics leave out are not shown.
 */
export function computeReplayLine(
  points: PointColumns,
  pauses: readonly Pause[],
  settings: StatisticsSettings,
  { maxPositions, ...part }: ReplayPart,
): ReplayLine {
  const { trace, kinds, legMeters } = examineTrack(pointsWithin(points, part), pauses, settings)
  const meters = new Float64Array(trace.count)
  for (let i = 1; i < trace.count; i++) {
    meters[i] = meters[i - 1] + (kinds[i] === LEG_KINDS.travelled ? legMeters[i] : 0)
  }
  const kept = reduceInTime(trace, { maxPoints: maxPositions, toleranceMeters: TOLERANCE_METERS })
  const pick = (column: Float64Array) => Float64Array.from(kept, (index) => column[index])
  return {
    timeMs: pick(trace.timeMs),
    latitude: pick(trace.latitude),
    longitude: pick(trace.longitude),
    distanceMeters: pick(meters),
  }
}
