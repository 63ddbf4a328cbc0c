/** How long answers took, in milliseconds; `count` is how many there were. */
export type Quantiles = { count: number; p50Ms: number; p99Ms: number; maxMs: number }

/** By nearest rank: a quantile is a time that was measured. All zero where there is none. */
export function quantilesOf(timesMs: readonly number[]): Quantiles {
  const sorted = Float64Array.from(timesMs).sort()
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
  return { count: sorted.length, p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1) }
}
