import { randomUUID } from 'node:crypto'
import type { Logger } from '../basics/logger.ts'
import { inTime, ticking } from '../basics/timers.ts'

/**
 * Time of a lease for work of seconds or minutes: after a crash, other instances wait this long. It is extended often
 * enough to survive a slow moment.
 */
export const LEASE_MS = 10_000
/** Options of queues with such leases, which have a moment for writes in progress when closing. */
export const LONG_WORK = { extendEveryMs: 3_000, closeWithinMs: 3_000 }

type Options = {
  /** Names the work in the log, such as `webhook deliveries`. */
  noun: string
  searchEveryMs: number
  /** Interval at which the leases of work in progress are extended; undefined if no work takes that long. */
  extendEveryMs?: number
  /** Time for work in progress when closing. */
  closeWithinMs: number
  logger: Logger
}

/**
 * Work whose only list is rows of a database: one instance at a time leases a row and works on it. After a crash at any
 * point the lease expires, and another instance continues. A queue searches at an interval and when woken, and closes
 * with a deadline. Its kind says which work is leased, how much of it at once, and how a lease is renewed and ends.
 */
export abstract class LeasedQueue<Work> {
  /** Names this queue in the leases that it holds. */
  protected readonly leaseOwner = randomUUID()
  readonly #options: Options
  readonly #running = new Set<Promise<void>>()
  #searching: Promise<void> | undefined
  #searchAgain = false
  #isClosed = false
  #stopTicking: (() => void)[] = []
  #waking: NodeJS.Timeout | undefined

  constructor(options: Options) {
    this.#options = options
  }

  /** Leases work for which there is room, and hands it to `take`. Called once at a time. */
  protected abstract search(): Promise<void>

  /** Does work and ends its lease. Never rejects. */
  protected abstract run(work: Work): Promise<void>

  /** Extends the leases of work in progress, and stops work that is not this queue's any more. */
  protected async extendLeases(): Promise<void> {}

  /** Asks work in progress to end early, because the queue closes. */
  protected stopWork(): void {}

  start(): void {
    const { searchEveryMs, extendEveryMs } = this.#options
    this.#stopTicking.push(ticking(searchEveryMs, () => this.wake()))
    if (extendEveryMs !== undefined) this.#stopTicking.push(ticking(extendEveryMs, () => void this.#extend()))
    this.wake()
  }

  /** Searches now, because there may be new work, or room for more. */
  wake(): void {
    this.#searchAgain = true
    if (this.#isClosed || this.#searching !== undefined) return
    this.#searching = this.#search().finally(() => (this.#searching = undefined))
  }

  /** Searches after a moment, in which the transaction that adds work ends. */
  wakeIn(ms: number): void {
    if (this.#isClosed) return
    this.#waking ??= setTimeout(() => {
      this.#waking = undefined
      this.wake()
    }, ms).unref()
  }

  /** Leases nothing more, and waits a moment for work in progress. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const stop of this.#stopTicking) stop()
    clearTimeout(this.#waking)
    this.stopWork()
    await inTime(this.#options.closeWithinMs, this.ended())
  }

  /** True once nothing more may be leased. */
  protected get isClosed(): boolean {
    return this.#isClosed
  }

  /** Begins work that has been leased. */
  protected take(work: Work): void {
    const running = this.run(work).finally(() => {
      this.#running.delete(running)
      this.wake()
    })
    this.#running.add(running)
  }

  /** Resolves when no work is in progress any more. */
  protected async ended(): Promise<void> {
    await this.#searching
    await Promise.all(this.#running)
  }

  async #extend(): Promise<void> {
    const { noun, logger } = this.#options
    try {
      await this.extendLeases()
    } catch (err) {
      if (!this.#isClosed) logger.warn({ err }, `extending the leases of ${noun} failed`)
    }
  }

  async #search(): Promise<void> {
    const { noun, logger } = this.#options
    try {
      while (this.#searchAgain && !this.#isClosed) {
        this.#searchAgain = false
        await this.search()
      }
    } catch (err) {
      if (!this.#isClosed) logger.warn({ err }, `searching for ${noun} failed`)
    }
  }
}
