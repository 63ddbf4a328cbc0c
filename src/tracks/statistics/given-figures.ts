import type { StatisticsJson } from './statistics.ts'

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
