/** How often one may fail, and how long one waits then. */
export type ThrottleRule = {
  /** Failures without a pause. */
  free: number
  /** The pause after these; each further failure doubles it, up to the longest. */
  firstPauseMs: number
  longestPauseMs: number
  /** After this long without a failure all is forgotten. */
  forgetAfterMs: number
}

/** How often somebody has failed, and when last. */
export type Failures = { count: number; lastMs: number }

/** How long who failed so often has still to wait; 0 where an attempt is allowed. */
export function failurePauseMs(rule: ThrottleRule, failures: Failures | undefined, nowMs: number): number {
  const { free, firstPauseMs, longestPauseMs } = rule
  if (failures === undefined || isForgotten(rule, failures, nowMs) || failures.count < free) return 0
  const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** (failures.count - free))
  // A clock that was set back must not make the pause longer.
  return Math.max(0, Math.min(pauseMs, failures.lastMs + pauseMs - nowMs))
}

/** What is known of who fails once more. */
export function withFailure(rule: ThrottleRule, failures: Failures | undefined, nowMs: number): Failures {
  const before = failures === undefined || isForgotten(rule, failures, nowMs) ? 0 : failures.count
  return { count: before + 1, lastMs: nowMs }
}

function isForgotten({ forgetAfterMs }: ThrottleRule, { lastMs }: Failures, nowMs: number): boolean {
  return nowMs - lastMs >= forgetAfterMs
}
