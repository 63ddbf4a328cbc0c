export type PollLoopOptions = {
  /** Runs before each poll. It may take as long as it likes: only polling itself is limited to a share of the time. */
  prepare?: () => Promise<void>
  /** May return how many milliseconds count for the rest. Otherwise the whole poll counts. */
  poll: () => Promise<unknown>
  /** The loop ends when nobody watches any more. */
  isWatched: () => boolean
  /** Time from the start of one poll to that of the next. */
  intervalMs: number
  /** A rest lasts so many times as long as the poll before it; 20 by default, so that polling takes 5 % of the time. */
  restPerPoll?: number
  /** Upper bound of a rest after a slow poll. */
  maxIntervalMs?: number
  /** Called with what `prepare` or `poll` threw. The next poll follows after the interval. */
  onError: (error: unknown) => void
  onEnd: () => void
}

const REST_PER_POLL = 20

/** Polls at an interval while somebody watches, and not at all while nobody does. */
export class PollLoop {
  readonly #options: PollLoopOptions
  #isRunning = false
  #isWoken = false
  #currentAtMs = 0
  #endRest = () => {}

  constructor(options: PollLoopOptions) {
    this.#options = options
  }

  /** Starts the loop unless it runs. */
  start(): void {
    if (!this.#isRunning) void this.#run()
  }

  /**
   * Ends the rest: somebody waits for the next poll, or nobody watches any more.
   * During a poll, the next follows at once.
   */
  wake(): void {
    this.#isWoken = true
    this.#endRest()
  }

  /** Time since the last poll that did not fail began: later changes may not have been sent. 0 while nobody watches. */
  get lagMs(): number {
    return this.#isRunning ? performance.now() - this.#currentAtMs : 0
  }

  async #run(): Promise<void> {
    const {
      isWatched,
      intervalMs,
      restPerPoll = REST_PER_POLL,
      maxIntervalMs = Infinity,
      onError,
      onEnd,
    } = this.#options
    this.#isRunning = true
    this.#currentAtMs = performance.now()
    while (isWatched()) {
      this.#isWoken = false
      const startMs = performance.now()
      let pollMs = 0
      try {
        pollMs = await this.#poll()
        this.#currentAtMs = startMs
      } catch (error) {
        onError(error)
      }
      const leftMs = intervalMs - (performance.now() - startMs)
      await this.#rest(Math.min(maxIntervalMs, Math.max(0, leftMs, restPerPoll * pollMs)))
    }
    this.#isRunning = false
    onEnd()
  }

  async #poll(): Promise<number> {
    await this.#options.prepare?.()
    const startMs = performance.now()
    const countedMs = await this.#options.poll()
    return typeof countedMs === 'number' ? countedMs : performance.now() - startMs
  }

  async #rest(durationMs: number): Promise<void> {
    if (this.#isWoken || !this.#options.isWatched()) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, durationMs)
    this.#endRest = resolve
    await promise
    clearTimeout(timer)
  }
}
