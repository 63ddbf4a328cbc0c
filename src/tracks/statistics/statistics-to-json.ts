import type { StatisticsMethod, TrackStatistics } from './statistics.ts'

/** Statistics as sent in JSON. */
export type StatisticsJson = ReturnType<typeof statisticsToJson>

/** Statistics as stored: those of the whole track, and those of its shown part if it is trimmed. */
export type KeptStatisticsJson = StatisticsJson & { shown?: StatisticsJson }

/**
 * Returns statistics under their names in JSON: those of the specification, then moving and paused time, the method and
 * the numbers left out. Unknown figures are absent.
 */
export function statisticsToJson(statistics: TrackStatistics) {
  return {
    distance_meters: statistics.distanceMeters,
    duration_sec: statistics.durationSec,
    elevation_gain_m: statistics.elevationGainMeters,
    elevation_loss_m: statistics.elevationLossMeters,
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
    max_speed: method.maxSpeed,
  }
}

function whenKnown<Name extends string>(name: Name, value: number | undefined): { [name in Name]?: number } {
  return value === undefined ? {} : ({ [name]: value } as { [name in Name]: number })
}
