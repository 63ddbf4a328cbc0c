import type { Registry } from 'prom-client'
import { addServiceGauge } from '../basics/metrics.ts'

export type PollLoopOptions = {
  /** Runs before each poll. It may take as long as it likes: only polling itself is limited to a share of the time. */
  prepare?: () => Promise<void>
  /** May return how many milliseconds count for the rest. Otherwise the whole poll counts. */
  poll: () => Promise<unknown>
  /** The loop ends when nobody watches any more. */
  isWatched: () => boolean
  /** Time from the start of one poll to the start of the next. */
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

/** The open watches of this instance, one for each thing that is watched. */
export class WatchRegistry<Watch> {
  readonly #watches = new Map<string, Watch>()
  readonly #open: (id: string, onEnd: () => void) => Watch

  /** `open` makes the watch of one thing; it calls `onEnd` when nobody watches any more. */
  constructor(open: (id: string, onEnd: () => void) => Watch) {
    this.#open = open
  }

  /** Returns the watch of a thing if anybody watches it. */
  find(id: string): Watch | undefined {
    return this.#watches.get(id)
  }

  /** Returns all watches that are open. */
  all(): Iterable<Watch> {
    return this.#watches.values()
  }

  /** Returns the watch of a thing, opened now if nobody watched it before. */
  open(id: string): Watch {
    const known = this.#watches.get(id)
    if (known !== undefined) return known
    const opened = this.#open(id, () => this.#watches.delete(id))
    this.#watches.set(id, opened)
    return opened
  }
}

/** A watch, and how far its viewers are behind. */
type Watched = { readonly lagMs: number }

/** Adds the live views of a service to the metric of their age. */
export function addLiveLag(registry: Registry, service: string, watches: () => Iterable<Watched>): void {
  const help =
    'Age of what live viewers of this instance were sent, of those that are furthest behind; 0 while nobody watches.'
  addServiceGauge(registry, service, { name: 'live_lag_seconds', help }, () => [
    { value: greatestLagMs(watches()) / 1000 },
  ])
}

function greatestLagMs(watches: Iterable<Watched>): number {
  let greatestMs = 0
  for (const { lagMs } of watches) greatestMs = Math.max(greatestMs, lagMs)
  return greatestMs
}
