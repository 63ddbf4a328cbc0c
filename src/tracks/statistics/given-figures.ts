import type { TrackRow } from '../model/tables.ts'
import { isTrimmed, shownPartOf } from '../model/track-state.ts'
import type { KeptStatisticsJson, StatisticsJson } from './statistics.ts'

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
