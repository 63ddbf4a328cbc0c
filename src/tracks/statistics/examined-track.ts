import type { ActivityType } from '../domain/activity-type.ts'
import type { Pause } from '../domain/pauses.ts'
import type { PointColumns } from '../points/point-columns.ts'
import { type AcceptedPoints, acceptedPoints } from './accepted-points.ts'
import { type AltitudeRuns, altitudeRuns } from './elevation/altitude-runs.ts'
import { removeAltitudeSpikes } from './elevation/altitude-spikes.ts'
import { legKinds, travelledRuns } from './legs/leg-kinds.ts'
import { hasOwnSpeeds } from './speed/max-speed.ts'
import { medianSpeedMps, plausibleSpeedMps } from './speed/plausible-speed.ts'
import { removeSpikes } from './speed/spikes.ts'
import { legDistances } from './trace/distance.ts'
import type { Trace } from './trace/trace.ts'

export type StatisticsSettings = {
  activityType: ActivityType
  /** Points with a known accuracy worse than this are left out; 0 = none are. */
  maxAccuracyMeters: number
}

/** The common basis of statistics, splits and profiles, so that they agree. */
export type ExaminedTrack = {
  accepted: AcceptedPoints
  /** The points that are used, with strictly rising times. */
  trace: Trace
  /** Index in the accepted trace of each point that is used. */
  indexes: Int32Array
  pauses: readonly Pause[]
  /** Number of points of excursions that return faster than anyone moves. */
  spikes: number
  /** Length and kind of each leg, at the index of the point where it ends. */
  legMeters: Float64Array
  kinds: Uint8Array
  /** First points of the runs of travelled legs. */
  starts: Int32Array
  medianMps: number
  /** Speeds above this are not plausible. */
  limitMps: number
  altitudes: AltitudeRuns
  /** True when the points carry reliable speeds. */
  ownSpeeds: boolean
}

/**
 * Determines the reliable points of a track and the kinds of its legs. The points are in canonical order; the pauses
 * are in order and do not overlap, an open one with `toMs` Infinity.
 */
export function examineTrack(
  points: PointColumns,
  pauses: readonly Pause[],
  { activityType, maxAccuracyMeters }: StatisticsSettings,
): ExaminedTrack {
  const accepted = acceptedPoints(points, maxAccuracyMeters)
  const acceptedLegs = legDistances(accepted.trace)
  const medianMps = medianSpeedMps(accepted.trace, acceptedLegs)
  const limitMps = plausibleSpeedMps(activityType, medianMps)
  const { trace, indexes, legMeters, spikes } = removeSpikes(accepted.trace, acceptedLegs, limitMps)
  const kinds = legKinds(trace, legMeters, { pauses, activityType, medianMps })
  return {
    accepted,
    trace,
    indexes,
    pauses,
    spikes,
    legMeters,
    kinds,
    starts: travelledRuns(kinds),
    medianMps,
    limitMps,
    altitudes: removeAltitudeSpikes(altitudeRuns(trace, kinds)),
    ownSpeeds: hasOwnSpeeds(trace),
  }
}
