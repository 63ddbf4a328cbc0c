/** Distribution of response times in milliseconds; `count` is their number. */
export type Quantiles = { count: number; p50Ms: number; p99Ms: number; maxMs: number }

/** Computes quantiles by nearest rank, so that each is a measured time. All are zero without measurements. */
export function quantilesOf(timesMs: readonly number[]): Quantiles {
  const sorted = Float64Array.from(timesMs).sort()
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
  return { count: sorted.length, p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1) }
}
