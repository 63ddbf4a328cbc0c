import type { TrackRow } from '../model/tables.ts'
import { isTrimmed, type Pause, pausedMsBetween, shownPartOf } from '../model/track-state.ts'
import type { PointColumns } from '../points/point-columns.ts'
import { countAltitudes } from './altitudes.ts'
import { climbInterval, elevationProfile, totalClimb } from './elevation.ts'
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

/**
 * Returns the statistics of a track. The points are in canonical order; the pauses are in order and do not overlap, an
 * open one with `toMs` Infinity. A pure function of the set of points: the same points give the same figures to the
 * last bit, however they arrived. Every number is finite, and without points 0.
 */
export function computeStatistics(points: PointColumns, pauses: readonly Pause[], settings: StatisticsSettings) {
  const { activityType } = settings
  const examined = examineTrack(points, pauses, settings)
  const { accepted, trace, legMeters, kinds, starts, altitudes, ownSpeeds } = examined
  const elevation = elevationProfile(altitudes)
  const climb = totalClimb(elevation)
  const wayMeters = travelledMeters(kinds, legMeters)
  const { noiseMeters } = elevation
  const intervalOf = (climbMeters: number) =>
    elevation.method === 'plain' ? undefined : climbInterval(climbMeters, elevation.noiseMeters, wayMeters)
  const { lowest, highest } = altitudeExtremes(examined)
  const { fastest, source } = speedExtreme(examined)
  const { durationSec, meanSpeedMps, paceSecPerKm } = paceOf(wayMeters, elapsedSec(trace))
  return {
    distance_meters: wayMeters,
    duration_sec: durationSec,
    elevation_gain_m: climb.gainMeters,
    elevation_loss_m: climb.lossMeters,
    ...whenKnown('elevation_gain_interval_m', intervalOf(climb.gainMeters)),
    ...whenKnown('elevation_loss_interval_m', intervalOf(climb.lossMeters)),
    mean_speed_mps: meanSpeedMps,
    pace_sec_per_km: paceSecPerKm,
    ...whenKnown('max_speed_mps', fastest?.value),
    ...whenKnown('max_altitude_m', highest?.value),
    ...whenKnown('min_altitude_m', lowest?.value),
    points_count: points.count,
    moving_time_sec: movingTimeSec(trace, starts, activityType, ownSpeeds),
    paused_time_sec: pausedTimeSec(trace, pauses),
    method: {
      version: STATISTICS_METHOD,
      elevation: elevation.method,
      ...whenKnown('altitude_noise_m', noiseMeters),
      ...whenKnown('altitude_reference', examined.altitudeReference?.sent),
      ...whenKnown('altitude_reference_source', examined.altitudeReference?.source),
      max_speed: source,
    },
    left_out: {
      same_time_points: accepted.sameTime,
      inaccurate_points: accepted.inaccurate,
      spike_points: examined.spikes,
      altitudes: countAltitudes(trace) - altitudes.meters.length,
      teleport_legs: countKind(kinds, LEG_KINDS.teleport),
      stopped_legs: countKind(kinds, LEG_KINDS.stopped),
      paused_legs: countKind(kinds, LEG_KINDS.paused),
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

/** Derives duration, mean speed and pace from each other so that they agree; 0 in place of a division by 0. */
function paceOf(distanceMeters: number, seconds: number) {
  const durationSec = Math.floor(seconds + 0.5)
  return {
    durationSec,
    meanSpeedMps: durationSec === 0 ? 0 : distanceMeters / durationSec,
    paceSecPerKm: distanceMeters === 0 ? 0 : (durationSec / distanceMeters) * 1000,
  }
}

/**
 * Statistics as sent in JSON: under the names of the specification, then moving and paused time, the method and the
 * numbers left out. Unknown figures are absent.
 */
export type StatisticsJson = ReturnType<typeof computeStatistics>

/** Statistics as stored: of the whole track, and of its shown part if it is trimmed. */
export type KeptStatisticsJson = StatisticsJson & { shown?: StatisticsJson }

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

/** The interval of each figure that has one. */
const INTERVALS = {
  elevation_gain_m: 'elevation_gain_interval_m',
  elevation_loss_m: 'elevation_loss_interval_m',
} as const satisfies Partial<Record<keyof StatisticsJson, keyof StatisticsJson>>

/**
 * Returns statistics in which those that came with a sync, as JSON or null for none, take precedence. The interval of a
 * computed figure tells nothing about another one.
 */
export function withGivenFigures(computed: StatisticsJson, given: string | null): StatisticsJson {
  if (given === null) return computed
  const figures: Partial<StatisticsJson> = JSON.parse(given)
  const all = { ...computed, ...figures }
  for (const [figure, interval] of Object.entries(INTERVALS)) if (figure in figures) delete all[interval]
  return all
}

/**
 * Returns the statistics computed last. Statistics that came with a sync take precedence, unless the track is trimmed:
 * they describe all of it.
 */
export function statisticsSummary(row: TrackRow) {
  const { computed_stats, given_stats } = row
  if (computed_stats === null) return null
  const { shown, ...whole }: KeptStatisticsJson = JSON.parse(computed_stats)
  const trimmed = isTrimmed(shownPartOf(row))
  if (trimmed && shown === undefined) return null
  const all = trimmed ? shown! : withGivenFigures(whole, given_stats)
  const { elevation_gain_interval_m, elevation_loss_interval_m } = all
  return {
    distance_meters: all.distance_meters,
    duration_sec: all.duration_sec,
    moving_time_sec: all.moving_time_sec,
    elevation_gain_m: all.elevation_gain_m,
    ...(elevation_gain_interval_m && { elevation_gain_interval_m }),
    elevation_loss_m: all.elevation_loss_m,
    ...(elevation_loss_interval_m && { elevation_loss_interval_m }),
    mean_speed_mps: all.mean_speed_mps,
    pace_sec_per_km: all.pace_sec_per_km,
  }
}
