const SEC = 1000
const MIN = 60 * SEC
const HOUR = 60 * MIN

/**
 * Pauses after the first, second, … failed attempt. They add up to almost two days, which is longer than most outages.
 */
const PAUSES_MS = [5 * SEC, MIN, 5 * MIN, 30 * MIN, 2 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR]

/** Returns the pause before the next attempt, in milliseconds; undefined if `failedAttempts` were enough. */
export function pauseBeforeRetry(failedAttempts: number): number | undefined {
  return PAUSES_MS[failedAttempts - 1]
}
