/** A line of the report. */
export type Figure = {
  what: string
  measured: string
  /** The comparison, with its own value if it has one. */
  beside: string
  target: string
}

/** Returns the median; of an even number of values, the upper one. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]
}

/** Returns a quantile of values in ascending order. */
export function quantile(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}

export function ms(value: number): string {
  return `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ms`
}

export function mib(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(0)} MiB`
}

export function perSecond(value: number): string {
  return `${Math.round(value).toLocaleString('en')}/s`
}
