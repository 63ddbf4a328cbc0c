import type { Provenance } from '../../schemas/operator-track.ts'
import type { StatisticsJson } from '../../statistics/statistics-to-json.ts'

/** The name of a rule and its explanation. */
type Rule = { rule: string; explanation: string }

const SMOOTHING: Record<StatisticsJson['method']['elevation'], Rule> = {
  plain: {
    rule: 'elevation_plain',
    explanation: 'Sum of all rises or falls between the altitudes used, which are few or free of noise.',
  },
  '10s-3m': {
    rule: 'elevation_10s_3m',
    explanation: 'Altitudes averaged over 10 s; a reversal counts once it is 3 m from the last extreme.',
  },
  '30s-5m': {
    rule: 'elevation_30s_5m',
    explanation: 'Altitudes averaged over 30 s; a reversal counts once it is 5 m from the last extreme.',
  },
  '30s-10m': {
    rule: 'elevation_30s_10m',
    explanation: 'Altitudes averaged over 30 s; a reversal counts once it is 10 m from the last extreme.',
  },
}

const RULES: Record<string, Rule | ((statistics: StatisticsJson) => Rule)> = {
  distance_meters: {
    rule: 'travelled_legs',
    explanation:
      'Sum of the surface distances between the points used (haversine, mean earth radius), without legs across pauses, long stops and receiver jumps. Climbs add nothing.',
  },
  duration_sec: ({ points_count }) =>
    points_count > 0
      ? { rule: 'first_to_last_point', explanation: 'From the first to the last point used, pauses included.' }
      : { rule: 'start_to_end', explanation: "From the track's start to its end, because there are no points." },
  elevation_gain_m: ({ method }) => SMOOTHING[method.elevation],
  elevation_loss_m: ({ method }) => SMOOTHING[method.elevation],
  mean_speed_mps: { rule: 'distance_by_duration', explanation: 'Distance divided by duration.' },
  pace_sec_per_km: { rule: 'duration_by_distance', explanation: 'Duration divided by distance.' },
  max_speed_mps: ({ method }) =>
    method.max_speed === 'points'
      ? { rule: 'max_of_points', explanation: 'Highest plausible speed that the receiver measured.' }
      : { rule: 'max_of_positions', explanation: 'Highest plausible speed between positions over 10 s.' },
  max_altitude_m: {
    rule: 'altitude_range',
    explanation: 'Highest altitude in which climbs are counted, as sent: none that leaps away and back.',
  },
  min_altitude_m: {
    rule: 'altitude_range',
    explanation: 'Lowest altitude in which climbs are counted, as sent: none that leaps away and back.',
  },
  points_count: { rule: 'stored_points', explanation: 'All stored points, left-out ones included.' },
  moving_time_sec: {
    rule: 'moving_legs',
    explanation: 'Time of the legs faster than standing speed: 0.28 m/s on foot, 1.11 m/s on a bike.',
  },
  paused_time_sec: {
    rule: 'declared_pauses',
    explanation: 'Time in the state `paused` between the first and the last point.',
  },
}

const GIVEN: Rule = { rule: 'given', explanation: 'Computed by the device and shown as sent.' }

/** Returns the origin of each statistic. `given` is the JSON of the statistics that came with a sync. */
export function provenanceOf(statistics: StatisticsJson, given: string | null): Provenance[] {
  const names = given === null ? [] : Object.keys(JSON.parse(given))
  const shown = Object.keys(RULES).filter((statistic) => statistic in statistics || names.includes(statistic))
  return shown.map((statistic) => {
    if (names.includes(statistic)) return { statistic, source: 'device', ...GIVEN }
    const rule = RULES[statistic]
    return { statistic, source: 'computed', ...(typeof rule === 'function' ? rule(statistics) : rule) }
  })
}
