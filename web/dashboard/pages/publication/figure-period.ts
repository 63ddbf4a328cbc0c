/** The selectable periods of reading figures, in days up to today. */
export const PERIODS = [7, 30, 90] as const
export const DEFAULT_PERIOD = 30

type FigurePeriod = (typeof PERIODS)[number]

/** Parses the period from an address. */
export function figureSearch({ days }: Record<string, unknown>): { days?: FigurePeriod } {
  const period = PERIODS.find((known) => String(known) === String(days))
  return period === undefined ? {} : { days: period }
}
