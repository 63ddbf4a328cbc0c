/** `x` is a ratio; an empty unit is a plain number. */
export type Unit = 'µs' | 'ms' | 's' | 'x' | 'B' | 'kB' | 'MiB' | 'MB/s' | '/s' | ''

/** Limits of a figure: a bound that it must keep, and an aim beyond it. */
export type Goal = { atMost?: number; atLeast?: number; aim?: number }

/** A measured value, one line of the report. */
export type Figure = {
  /** Subject in words. Together with its part and engine it names the figure, also between runs. */
  what: string
  value: number
  unit: Unit
  goal?: Goal
  /** Comparison, or the parts of the value. */
  beside?: string
  /** Size for which a value of a growth curve was measured. */
  at?: number
}

/** Figures of a part of the benchmark, on an engine or on none. */
export type PartResult = { part: string; engine: string; figures: Figure[] }

/** A part that could not be measured, and the reason. */
export type PartFailure = { part: string; engine: string; reason: string }

/** A whole run, as it is stored. */
export type RunResult = {
  commit: string
  date: string
  machine: string[]
  options: string
  results: PartResult[]
  failures: PartFailure[]
}

/** Returns true if the value keeps its bound. Figures without a bound keep it. */
export function keepsGoal({ value, goal }: Figure): boolean {
  return value <= (goal?.atMost ?? Number.POSITIVE_INFINITY) && value >= (goal?.atLeast ?? Number.NEGATIVE_INFINITY)
}

/** Returns the median; of an even number of values, the upper one. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]
}

/** Returns a quantile of values in ascending order. */
export function quantile(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}
