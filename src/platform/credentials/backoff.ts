/** Limits on failures to sign in. */
export type BackoffRule = {
  /** Number of failures without a pause. */
  free: number
  /** Pause after the free failures. Each further failure doubles it, up to `maxPauseMs`. */
  firstPauseMs: number
  maxPauseMs: number
  /** Time without a failure after which all failures are forgotten. */
  forgetAfterMs: number
}

/** Number of failures of one caller, and the time of the last one. */
export type Failures = { count: number; lastMs: number }

/** Returns the time that a caller still has to wait; 0 if an attempt is allowed. */
export function backoffMs(rule: BackoffRule, failures: Failures | undefined, nowMs: number): number {
  const { free, firstPauseMs, maxPauseMs } = rule
  if (failures === undefined || isForgotten(rule, failures, nowMs) || failures.count < free) return 0
  const pauseMs = Math.min(maxPauseMs, firstPauseMs * 2 ** (failures.count - free))
  // A clock that was set back must not make the pause longer.
  return Math.max(0, Math.min(pauseMs, failures.lastMs + pauseMs - nowMs))
}

/** Counts one more failure. */
export function addFailure(rule: BackoffRule, failures: Failures | undefined, nowMs: number): Failures {
  const before = failures === undefined || isForgotten(rule, failures, nowMs) ? 0 : failures.count
  return { count: before + 1, lastMs: nowMs }
}

function isForgotten({ forgetAfterMs }: BackoffRule, { lastMs }: Failures, nowMs: number): boolean {
  return nowMs - lastMs >= forgetAfterMs
}
