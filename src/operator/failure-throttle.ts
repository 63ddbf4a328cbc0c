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

type Failures = { count: number; lastMs: number }

/** More callers than this are not remembered; the ones that failed longest ago go first. */
const MAX_CALLERS = 20_000

/**
 * Makes those who fail wait, each time longer. An attempt counts as failed from its beginning on, until `forgive`: of a
 * thousand that come at once only the first few get through. The count is that of this process.
 */
export class FailureThrottle {
  readonly #rule: ThrottleRule
  readonly #nowMs: () => number
  /** In the order of their last failures. */
  readonly #failures = new Map<string, Failures>()

  constructor(rule: ThrottleRule, nowMs: () => number) {
    this.#rule = rule
    this.#nowMs = nowMs
  }

  /** How long `caller` has still to wait; 0 where an attempt is allowed. */
  pauseMs(caller: string): number {
    const failures = this.#find(caller)
    if (failures === undefined || failures.count < this.#rule.free) return 0
    const { firstPauseMs, longestPauseMs, free } = this.#rule
    const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** (failures.count - free))
    // A clock that was set back must not make the pause longer.
    return Math.max(0, Math.min(pauseMs, failures.lastMs + pauseMs - this.#nowMs()))
  }

  /** Counts an attempt as failed. */
  count(caller: string): void {
    const count = (this.#find(caller)?.count ?? 0) + 1
    this.#failures.delete(caller)
    this.#failures.set(caller, { count, lastMs: this.#nowMs() })
    this.#forgetOldest()
  }

  /** Takes one counted attempt back, which turned out well. */
  forgive(caller: string): void {
    const failures = this.#find(caller)
    if (failures !== undefined) failures.count = Math.max(0, failures.count - 1)
  }

  /** Forgets all failures of a caller. */
  clear(caller: string): void {
    this.#failures.delete(caller)
  }

  #find(caller: string): Failures | undefined {
    const failures = this.#failures.get(caller)
    if (failures === undefined || this.#nowMs() - failures.lastMs < this.#rule.forgetAfterMs) return failures
    this.#failures.delete(caller)
    return undefined
  }

  #forgetOldest(): void {
    for (const [caller, { lastMs }] of this.#failures) {
      const isOld = this.#nowMs() - lastMs >= this.#rule.forgetAfterMs
      if (!isOld && this.#failures.size <= MAX_CALLERS) return
      this.#failures.delete(caller)
    }
  }
}
