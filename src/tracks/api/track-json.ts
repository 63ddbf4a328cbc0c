import { formatDateTime, momentOrNull } from '#platform/basics/time.ts'
import { type NamedTrack, trackName, withRunnerNames } from '../model/runner-names.ts'
import type { TrackRow } from '../model/tables.ts'
import { decodePauses } from '../model/track-state.ts'
import { type StatisticsJson, statisticsSummary, withGivenFigures } from '../statistics/statistics.ts'
import type { ApiDeps } from './deps.ts'
import type { OperatorTrack, Provenance, SharedTrack, TrackSummary } from './operator-track-schemas.ts'
import type { Track } from './track-schemas.ts'

/** A track in the words of the API, with complete statistics. */
type TrackJson = Track & { stats: StatisticsJson; computed_stats?: StatisticsJson }

/** Returns the current statistics of a track, with the row they belong to. */
type FindStatistics = (row: TrackRow) => Promise<{ row: TrackRow; statistics: StatisticsJson }>

/**
 * Converts a track's row to the specification's words and adds its current statistics. Statistics that the client gave
 * take precedence in `stats`; the computed ones then also stand in `computed_stats`.
 */
export async function trackJson(found: TrackRow, findStatistics: FindStatistics): Promise<TrackJson> {
  const { row, statistics } = await findStatistics(found)
  return {
    id: row.id,
    device_track_id: row.device_track_id,
    title: row.title,
    activity_type: row.activity_type,
    state: row.state,
    start_ts: formatDateTime(row.start_ms),
    end_ts: momentOrNull(row.end_ms),
    user_id: row.user_id,
    image_url: row.image_url,
    ...(row.altitude_reference !== null && { altitude_reference: row.altitude_reference }),
    points_count: row.point_count,
    stats: withGivenFigures(statistics, row.given_stats),
    ...(row.given_stats === null ? {} : { computed_stats: statistics }),
    created_at: formatDateTime(row.created_at),
    updated_at: formatDateTime(row.updated_at),
  }
}

/** Represents a track in an operator's list. */
export function trackSummary(row: TrackRow & NamedTrack): TrackSummary {
  return { ...sharedTrack(row), device_track_id: row.device_track_id, user_id: row.user_id }
}

/** Represents a track for spectators. */
export function sharedTrack(row: TrackRow & NamedTrack): SharedTrack {
  return {
    id: row.id,
    name: trackName(row),
    title: row.title,
    activity_type: row.activity_type,
    state: row.state,
    start_ts: formatDateTime(row.start_ms),
    end_ts: momentOrNull(row.end_ms),
    points_count: row.point_count,
    last_point_at: momentOrNull(row.last_point_ms),
    updated_at: formatDateTime(row.updated_at),
    stats: statisticsSummary(row),
  }
}

/** Represents a track for operators, with its current statistics, unless the client leaves first. */
export async function operatorTrackJson(
  { db, operatorTracks, currentStatistics, titleTimeZone }: ApiDeps,
  { event_name, time_zone, ...row }: TrackRow & { event_name: string; time_zone: string | null },
  left: AbortSignal,
): Promise<OperatorTrack> {
  const [current, firstPointMs, [named]] = await Promise.all([
    currentStatistics(row, 'operator', left),
    operatorTracks.firstPointMs(row.id),
    withRunnerNames(db, [row]),
  ])
  const track = await trackJson(row, async () => current)
  const computed = track.computed_stats ?? track.stats
  const described = current.shown ?? computed
  const { left_out } = described
  const reasons = [
    { reason: 'same_time' as const, count: left_out.same_time_points },
    { reason: 'inaccurate' as const, count: left_out.inaccurate_points },
    { reason: 'spike' as const, count: left_out.spike_points },
  ]
  return {
    ...track,
    name: trackName(named),
    event: { id: row.event_id, name: event_name, effective_time_zone: time_zone ?? titleTimeZone },
    first_point_at: momentOrNull(firstPointMs),
    last_point_at: momentOrNull(row.last_point_ms),
    shown_from: momentOrNull(row.shown_from_ms),
    shown_until: momentOrNull(row.shown_until_ms),
    pauses: decodePauses(row.pauses).map(({ fromMs, toMs }) => ({
      from: momentOrNull(fromMs)!,
      to: momentOrNull(Number.isFinite(toMs) ? toMs : null),
    })),
    points_used: reasons.reduce((used, { count }) => used - count, described.points_count),
    points_left_out: reasons,
    altitudes_left_out: left_out.altitudes,
    ...(current.shown && { shown_stats: current.shown }),
    // Statistics that came with a sync describe the whole track.
    provenance: provenanceOf(described, current.shown ? null : row.given_stats),
  }
}

/** The name of a rule and its explanation. */
type Rule = { rule: string; explanation: string }

const CLIMB: Record<StatisticsJson['method']['elevation'], Rule> = {
  plain: {
    rule: 'elevation_plain',
    explanation: 'Sum of all rises or falls between the altitudes used, which are few or free of noise.',
  },
  kalman: {
    rule: 'elevation_kalman',
    explanation:
      'Expected rises or falls of the terrain, estimated by a Kalman smoother that learns the hills and the error of the altitudes from the track. After ±: half of the interval that holds the true value with a probability of 95 %.',
  },
  course: {
    rule: 'elevation_course',
    explanation:
      'Expected rises or falls of the terrain, estimated from the altitudes of the track and the heights of the course, where both agree. After ±: half of the interval that holds the true value with a probability of 95 %.',
  },
  event: {
    rule: 'elevation_event',
    explanation:
      'Expected rises or falls of the terrain, estimated from the altitudes of the track and the heights of the course, which are also those of at least five people at each place. After ±: half of the interval that holds the true value with a probability of 95 %.',
  },
  terrain: {
    rule: 'elevation_terrain',
    explanation:
      'Expected rises or falls of the terrain, estimated from the altitudes of the track and the heights of a model of the terrain, where both agree. After ±: half of the interval that holds the true value with a probability of 95 %.',
  },
}

const ALTITUDES: Record<NonNullable<StatisticsJson['method']['altitude_reference']> | 'unknown', Rule> = {
  unknown: {
    rule: 'altitude_range',
    explanation:
      'From the altitudes that climbs are counted in, as sent: nobody said whether they are above the sea or the ellipsoid. One that leaps away and back does not count.',
  },
  sea_level: {
    rule: 'altitude_range_sea_level',
    explanation:
      'From the altitudes that climbs are counted in, which were sent above sea level. One that leaps away and back does not count.',
  },
  ellipsoid: {
    rule: 'altitude_range_ellipsoid',
    explanation:
      'From the altitudes that climbs are counted in. They were sent above the ellipsoid, and are above sea level here (EGM96). One that leaps away and back does not count.',
  },
  mixed: {
    rule: 'altitude_range_mixed',
    explanation:
      'From the altitudes that climbs are counted in. Those sent above the ellipsoid are above sea level here (EGM96), those of unknown zero as sent. One that leaps away and back does not count.',
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
  elevation_gain_m: ({ method }) => CLIMB[method.elevation],
  elevation_loss_m: ({ method }) => CLIMB[method.elevation],
  mean_speed_mps: { rule: 'distance_by_duration', explanation: 'Distance divided by duration.' },
  pace_sec_per_km: { rule: 'duration_by_distance', explanation: 'Duration divided by distance.' },
  max_speed_mps: ({ method }) =>
    method.max_speed === 'points'
      ? { rule: 'max_of_points', explanation: 'Highest plausible speed that the receiver measured.' }
      : {
          rule: 'max_of_positions',
          explanation:
            'Highest plausible speed on the smoothest path through the positions; of few or distant ones, between positions over 10 s.',
        },
  max_altitude_m: ({ method }) => ALTITUDES[method.altitude_reference ?? 'unknown'],
  min_altitude_m: ({ method }) => ALTITUDES[method.altitude_reference ?? 'unknown'],
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
function provenanceOf(statistics: StatisticsJson, given: string | null): Provenance[] {
  const names = given === null ? [] : Object.keys(JSON.parse(given))
  const shown = Object.keys(RULES).filter((statistic) => statistic in statistics || names.includes(statistic))
  return shown.map((statistic) => {
    if (names.includes(statistic)) return { statistic, source: 'device', ...GIVEN }
    const rule = RULES[statistic]
    return { statistic, source: 'computed', ...(typeof rule === 'function' ? rule(statistics) : rule) }
  })
}
