import { type Pause, pausedMsBetween } from '../model/track-state.ts'
import type { PointColumns } from '../points/point-columns.ts'
import type { KnownReference } from '../points/sea-level.ts'
import { countAltitudes } from './altitudes.ts'
import { climbInterval, type Interval } from './climb-interval.ts'
import { type ElevationMethod, elevationProfile, totalClimb } from './elevation.ts'
import { type ExaminedTrack, examineTrack, type StatisticsSettings } from './examined-track.ts'
import { countKind, LEG_KINDS, travelledMeters } from './legs.ts'
import { maxPositionSpeed } from './position-speed.ts'
import { maxOwnSpeed, movingTimeSec } from './speed.ts'
import { secondsBetween, type Trace } from './trace.ts'

export type { StatisticsSettings } from './examined-track.ts'

/**
 * Increased whenever the same points could give other figures, so that stored figures of an older one are recomputed.
 */
export const STATISTICS_METHOD = 8

/** The statistics of a track, with the method that computed them. Every number is finite. */
export type TrackStatistics = {
  distanceMeters: number
  /** Elapsed from the first to the last accepted point, pauses included, rounded half up. */
  durationSec: number
  elevationGainMeters: number
  elevationLossMeters: number
  /** Hold gain and loss with a probability of 95 %; undefined unless these were estimated. */
  elevationGainInterval: Interval | undefined
  elevationLossInterval: Interval | undefined
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

type StatisticsMethod = {
  version: number
  elevation: ElevationMethod
  /** Standard deviation of the altitudes' error; undefined when it could not be estimated. */
  altitudeNoiseMeters: number | undefined
  /** Zero of the altitudes as sent; undefined if it is not known, and all altitudes are as sent. */
  altitudeReference: KnownReference | undefined
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
  settings: StatisticsSettings,
): TrackStatistics {
  const { activityType } = settings
  const examined = examineTrack(points, pauses, settings)
  const { accepted, trace, legMeters, kinds, starts, altitudes, ownSpeeds } = examined
  const elevation = elevationProfile(altitudes)
  const climb = totalClimb(elevation)
  const wayMeters = travelledMeters(kinds, legMeters)
  const intervalOf = (climbMeters: number) =>
    elevation.method === 'plain' ? undefined : climbInterval(climbMeters, elevation.noiseMeters, wayMeters)
  const { lowest, highest } = altitudeExtremes(examined)
  const { fastest, source } = speedExtreme(examined)
  return {
    ...paceOf(wayMeters, elapsedSec(trace)),
    elevationGainMeters: climb.gainMeters,
    elevationLossMeters: climb.lossMeters,
    elevationGainInterval: intervalOf(climb.gainMeters),
    elevationLossInterval: intervalOf(climb.lossMeters),
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
      altitudeReference: examined.altitudeReference,
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

/** Statistics as sent in JSON. */
export type StatisticsJson = ReturnType<typeof statisticsToJson>

/** Statistics as stored: of the whole track, and of its shown part if it is trimmed. */
export type KeptStatisticsJson = StatisticsJson & { shown?: StatisticsJson }

/**
 * Returns statistics under their names in JSON: the names of the specification, then moving and paused time, the method
 * and the numbers left out. Unknown figures are absent.
 */
export function statisticsToJson(statistics: TrackStatistics) {
  return {
    distance_meters: statistics.distanceMeters,
    duration_sec: statistics.durationSec,
    elevation_gain_m: statistics.elevationGainMeters,
    elevation_loss_m: statistics.elevationLossMeters,
    ...whenKnown('elevation_gain_interval_m', statistics.elevationGainInterval),
    ...whenKnown('elevation_loss_interval_m', statistics.elevationLossInterval),
    mean_speed_mps: statistics.meanSpeedMps,
    pace_sec_per_km: statistics.paceSecPerKm,
    ...whenKnown('max_speed_mps', statistics.maxSpeedMps),
    ...whenKnown('max_altitude_m', statistics.maxAltitudeMeters),
    ...whenKnown('min_altitude_m', statistics.minAltitudeMeters),
    points_count: statistics.pointsCount,
    moving_time_sec: statistics.movingTimeSec,
    paused_time_sec: statistics.pausedTimeSec,
    method: methodToJson(statistics.method),
    left_out: {
      same_time_points: statistics.leftOut.sameTimePoints,
      inaccurate_points: statistics.leftOut.inaccuratePoints,
      spike_points: statistics.leftOut.spikePoints,
      altitudes: statistics.leftOut.altitudes,
      teleport_legs: statistics.leftOut.teleportLegs,
      stopped_legs: statistics.leftOut.stoppedLegs,
      paused_legs: statistics.leftOut.pausedLegs,
    },
  }
}

function methodToJson(method: StatisticsMethod) {
  return {
    version: method.version,
    elevation: method.elevation,
    ...whenKnown('altitude_noise_m', method.altitudeNoiseMeters),
    ...whenKnown('altitude_reference', method.altitudeReference?.sent),
    ...whenKnown('altitude_reference_source', method.altitudeReference?.source),
    max_speed: method.maxSpeed,
  }
}

function whenKnown<Name extends string, Value>(name: Name, value: Value | undefined): { [name in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { [name in Name]: Value })
}

/** An extreme value, with the index of its point in the trace. */
export type Extreme = { value: number; index: number }

type AltitudeExtremes = { lowest: Extreme | undefined; highest: Extreme | undefined }

/**
 * Returns the lowest and the highest altitude in metres among altitudes that count for climbs: one that leaps
 * away and back, or that no activity can have, does not. The first of equal ones; undefined without any.
 */
export function altitudeExtremes({ trace, altitudes }: ExaminedTrack): AltitudeExtremes {
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
