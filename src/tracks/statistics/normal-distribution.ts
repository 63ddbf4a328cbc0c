/** Returns the density of the standard normal distribution. */
function normalDensity(x: number): number {
  return Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)
}

/**
 * Returns the probability of a standard normal value below `x`, with an absolute error below 7.5e-8 (Zelen and Severo
 * in Abramowitz and Stegun, "Handbook of Mathematical Functions", 26.2.17).
 */
function normalProbability(x: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(x))
  const series = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
  const above = normalDensity(x) * series
  return x < 0 ? above : 1 - above
}

/** Below this, in metres, the doubt no longer adds to a rise. */
const CERTAIN = 1e-9

/** Returns the expected value of max(0, X) for a normal X with a mean and a standard deviation. */
export function expectedPositive(mean: number, deviation: number): number {
  if (deviation < CERTAIN) return Math.max(0, mean)
  const x = mean / deviation
  return Math.max(0, mean * normalProbability(x) + deviation * normalDensity(x))
}
