import { type Pause, pausedMsBetween } from '../domain/pauses.ts'
import type { PointColumns } from '../points/point-columns.ts'
import { countAltitudes } from './elevation/altitude-runs.ts'
import { type ElevationMethod, elevationGain } from './elevation/elevation-gain.ts'
import { examineTrack, type StatisticsSettings } from './examined-track.ts'
import { altitudeExtremes, type SpeedSource, speedExtreme } from './extremes.ts'
import { countKind, LEG_KINDS, travelledMeters } from './legs/leg-kinds.ts'
import { movingTimeSec } from './speed/moving-time.ts'
import { secondsBetween, type Trace } from './trace/trace.ts'

export type { StatisticsSettings } from './examined-track.ts'

/**
 * Increased whenever the same points could give other figures, so that stored figures of an older one are recomputed.
 */
export const STATISTICS_METHOD = 2

/** The statistics of a track, with the method that computed them. Every number is finite. */
export type TrackStatistics = {
  distanceMeters: number
  /** Elapsed from the first to the last accepted point, pauses included, rounded half up. */
  durationSec: number
  elevationGainMeters: number
  elevationLossMeters: number
  meanSpeedMps: number
  paceSecPerKm: number
  maxSpeedMps: number | undefined
  maxAltitudeMeters: number | undefined
  minAltitudeMeters: number | undefined
  pointsCount: number
  movingTimeSec: number
  pausedTimeSec: number
  method: StatisticsMethod
  leftOut: LeftOut
}

export type StatisticsMethod = {
  version: number
  elevation: ElevationMethod
  /** Estimated error of the altitudes, which selects the elevation method; undefined when it could not be estimated. */
  altitudeNoiseMeters: number | undefined
  /** Source of the maximum speed: the points' own speeds, or speeds between positions. */
  maxSpeed: SpeedSource
}

/** Numbers of points and legs left out of the figures, by reason; they are never deleted from the track. */
type LeftOut = {
  /** Points that share their time with a better one. */
  sameTimePoints: number
  /** Points with an accuracy worse than the limit. */
  inaccuratePoints: number
  /** Points of excursions that return faster than anyone moves. */
  spikePoints: number
  /** Altitudes left out of climbs and extremes: they leap away and back, or are out of reach of any activity. */
  altitudes: number
  /** Jumps of the receiver, not summed as distance. */
  teleportLegs: number
  /** Long interruptions over which the device was carried on slower than anyone moves. */
  stoppedLegs: number
  /** Legs that overlap a declared pause. */
  pausedLegs: number
}

/**
 * Returns the statistics of a track. The points are in canonical order; the pauses are in order and do not overlap, an
 * open one with `toMs` Infinity. A pure function of the set of points: the same points give the same figures to the
 * last bit, however they arrived. Without points every figure is 0.
 */
export function computeStatistics(
  points: PointColumns,
  pauses: readonly Pause[],
  { activityType, maxAccuracyMeters }: StatisticsSettings,
): TrackStatistics {
  const examined = examineTrack(points, pauses, { activityType, maxAccuracyMeters })
  const { accepted, trace, legMeters, kinds, starts, altitudes, ownSpeeds } = examined
  const elevation = elevationGain(altitudes, examined.medianMps)
  const { lowest, highest } = altitudeExtremes(examined)
  const { fastest, source } = speedExtreme(examined)
  return {
    ...paceOf(travelledMeters(kinds, legMeters), elapsedSec(trace)),
    elevationGainMeters: elevation.gainMeters,
    elevationLossMeters: elevation.lossMeters,
    maxSpeedMps: fastest?.value,
    maxAltitudeMeters: highest?.value,
    minAltitudeMeters: lowest?.value,
    pointsCount: points.count,
    movingTimeSec: movingTimeSec(trace, starts, activityType, ownSpeeds),
    pausedTimeSec: pausedTimeSec(trace, pauses),
    method: {
      version: STATISTICS_METHOD,
      elevation: elevation.method,
      altitudeNoiseMeters: elevation.noiseMeters,
      maxSpeed: source,
    },
    leftOut: {
      sameTimePoints: accepted.sameTime,
      inaccuratePoints: accepted.inaccurate,
      spikePoints: examined.spikes,
      altitudes: countAltitudes(trace) - altitudes.meters.length,
      teleportLegs: countKind(kinds, LEG_KINDS.teleport),
      stoppedLegs: countKind(kinds, LEG_KINDS.stopped),
      pausedLegs: countKind(kinds, LEG_KINDS.paused),
    },
  }
}

function elapsedSec(trace: Trace): number {
  return trace.count === 0 ? 0 : secondsBetween(trace, 0, trace.count - 1)
}

/**
 * Counts pauses between the first and the last point, so that moving, paused and standing time add up to the duration.
 */
function pausedTimeSec({ count, timeMs }: Trace, pauses: readonly Pause[]): number {
  return count === 0 ? 0 : pausedMsBetween(pauses, timeMs[0], timeMs[count - 1]) / 1000
}

/**
 * Derives distance, duration, mean speed and pace from each other so that they agree; 0 in place of a division by 0.
 */
function paceOf(distanceMeters: number, seconds: number) {
  const durationSec = Math.floor(seconds + 0.5)
  return {
    distanceMeters,
    durationSec,
    meanSpeedMps: durationSec === 0 ? 0 : distanceMeters / durationSec,
    paceSecPerKm: distanceMeters === 0 ? 0 : (durationSec / distanceMeters) * 1000,
  }
}
