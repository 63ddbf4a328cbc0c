import PQueue from 'p-queue'
import { unavailable } from '#platform/errors.ts'

/** Those who wait for a computation: phones, the server's own upkeep, operators and spectators. */
export type Asker = 'phone' | 'upkeep' | 'operator' | 'spectator'

/** Computations for phones at once. Two run in threads; the others read their points meanwhile. */
const PHONE_TURNS = 4
/** Most computations that wait. They hold no points while they wait: those are read when a turn begins. */
const MAX_WAITING: Record<Asker, number> = { phone: 1000, upkeep: 16, operator: 64, spectator: 64 }
/** Everything but phones, the most urgent first. */
const PRIORITIES: Record<Exclude<Asker, 'phone'>, number> = { upkeep: 2, operator: 1, spectator: 0 }
/** Value of `Retry-After` when too many computations wait: the longest queue takes a few times as long. */
const RETRY_AFTER_SEC = 5

/**
 * Lets computations take turns. Phones have turns of their own, and everyone else together has one, so that at least
 * one thread is always left to phones. Both queues are bounded.
 */
export class ComputingTurns {
  readonly #phones = new PQueue({ concurrency: PHONE_TURNS })
  readonly #others = new PQueue({ concurrency: 1 })

  /** Number of computations that wait for their turn. */
  get queueLength(): number {
    return this.#phones.size + this.#others.size
  }

  /**
   * Runs a computation once it is its turn. `dropped` takes it out of the queue, and has no effect once it runs.
   * @throws unavailable with `Retry-After` if too many computations wait
   */
  async take<Result>(asker: Asker, compute: () => Promise<Result>, dropped?: AbortSignal): Promise<Result> {
    const [queue, priority] = asker === 'phone' ? [this.#phones, 0] : [this.#others, PRIORITIES[asker]]
    if (queue.sizeBy({ priority }) >= MAX_WAITING[asker]) throw tooManyWait()
    const waiting = new AbortController()
    const drop = () => waiting.abort(dropped?.reason)
    if (dropped?.aborted) drop()
    dropped?.addEventListener('abort', drop, { once: true })
    // The queue would free the turn of a running computation that is aborted, although its thread goes on.
    const begin = () => {
      dropped?.removeEventListener('abort', drop)
      return compute()
    }
    return await queue.add(begin, { priority, signal: waiting.signal })
  }
}

function tooManyWait() {
  const headers = { 'retry-after': String(RETRY_AFTER_SEC) }
  return unavailable({ detail: 'Too many computations are waiting. Try again shortly.', headers })
}
