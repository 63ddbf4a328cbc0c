import { setTimeout as wait } from 'node:timers/promises'
import PQueue from 'p-queue'
import { unavailable } from '#platform/basics/errors.ts'

/** Callers who wait for a computation: phones, the server's own maintenance, operators and spectators. */
export type CallerKind = 'phone' | 'maintenance' | 'operator' | 'spectator'

/** Computations for phones at once. Two run in threads; the others read their points meanwhile. */
const PHONE_TURNS = 4
/** Most computations that wait. They hold no points while they wait: those are read when a turn begins. */
const MAX_WAITING: Record<CallerKind, number> = { phone: 1000, maintenance: 16, operator: 64, spectator: 64 }
/** Everything but phones, the most urgent first. */
const PRIORITIES: Record<Exclude<CallerKind, 'phone'>, number> = { maintenance: 2, operator: 1, spectator: 0 }
/** Value of `Retry-After` when too many computations wait: the longest queue takes a few times as long. */
const RETRY_AFTER_SEC = 5

/**
 * Lets computations take turns. Phones have turns of their own, and everyone else together has one, so that at least
 * one thread is always left to phones. Both queues are bounded.
 */
export class ComputeScheduler {
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
  async take<Result>(caller: CallerKind, compute: () => Promise<Result>, dropped?: AbortSignal): Promise<Result> {
    const [queue, priority] = caller === 'phone' ? [this.#phones, 0] : [this.#others, PRIORITIES[caller]]
    if (queue.sizeBy({ priority }) >= MAX_WAITING[caller]) throw tooManyWait()
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

/** After each computation a queue rests this many times as long, so that it takes at most a fifth of a core. */
const REST_PER_COMPUTATION = 4
/** Further tracks are dropped. They are queued again with the next read. */
const MAX_QUEUED = 5000

/** Creates a queue of computations that nobody waits for. It does them in the background, one track at a time. */
export function createBackgroundQueue<Work>(compute: (work: Work) => Promise<unknown>) {
  const waiting = new Map<string, Work>()
  let isWorking = false

  async function workOff(): Promise<void> {
    isWorking = true
    for (const [trackId, work] of waiting) {
      waiting.delete(trackId)
      const startMs = performance.now()
      // The track may be deleted by now. Any other failure shows when the track itself is read.
      await compute(work).catch(() => {})
      await wait((performance.now() - startMs) * REST_PER_COMPUTATION, undefined, { ref: false })
    }
    isWorking = false
  }

  return {
    /** Adds work for a track, in place of the work that waits for it. */
    add(trackId: string, work: Work): void {
      if (waiting.size >= MAX_QUEUED) return
      waiting.set(trackId, work)
      if (!isWorking) void workOff()
    },
  }
}

function tooManyWait() {
  return unavailable({
    detail: 'Too many computations are waiting. Try again shortly.',
    retryAfterSec: RETRY_AFTER_SEC,
  })
}

/** Owners of a thread's work: an event, and within it a person, a token or an operator. */
export type WorkOwner = { eventId: string; person: string }

type Waiting = { begin: () => void }

/**
 * The line of work that waits for a thread. Events take turns, and within an event its people do: who has had a turn
 * goes to the end of the line when it is over. So each other event has at most one turn between two of an event,
 * however much its people send, and each other person of the event at most one between two of a person.
 */
export class FairLine {
  readonly #events = new Map<string, Map<string, Waiting[]>>()
  #isBusy = false

  /** Number of pieces of work that wait. */
  get length(): number {
    return [...this.#events.keys()].reduce((sum, eventId) => sum + this.lengthOf(eventId), 0)
  }

  /** Number of pieces of work of an event that wait. */
  lengthOf(eventId: string): number {
    const people = this.#events.get(eventId) ?? new Map<string, Waiting[]>()
    return [...people.values()].reduce((sum, { length }) => sum + length, 0)
  }

  /** Tells whether something of this person waits already. */
  has({ eventId, person }: WorkOwner): boolean {
    return this.#events.get(eventId)?.has(person) ?? false
  }

  /**
   * Resolves when it is somebody's turn, with a function that ends it; undefined if it is not within `limitMs`.
   * @throws the reason of `left` if the client leaves before that
   */
  async turn(owner: WorkOwner, limitMs: number, left?: AbortSignal): Promise<(() => void) | undefined> {
    left?.throwIfAborted()
    const { promise, resolve } = Promise.withResolvers<void>()
    let hasBegun = false
    const waiting = {
      begin: () => {
        hasBegun = true
        resolve()
      },
    }
    this.#add(owner, waiting)
    this.#beginNext()
    const stop = new AbortController()
    const signal = left === undefined ? stop.signal : AbortSignal.any([left, stop.signal])
    await Promise.race([promise, wait(limitMs, undefined, { signal }).catch(() => {})])
    stop.abort()
    // A turn may begin while its client leaves. It must end, or nobody would ever have one again.
    if (!hasBegun) this.#remove(owner, waiting)
    else if (left?.aborted) this.#end(owner)
    left?.throwIfAborted()
    return hasBegun ? () => this.#end(owner) : undefined
  }

  #add({ eventId, person }: WorkOwner, waiting: Waiting): void {
    const people = this.#events.get(eventId) ?? new Map<string, Waiting[]>()
    people.set(person, [...(people.get(person) ?? []), waiting])
    this.#events.set(eventId, people)
  }

  #remove({ eventId, person }: WorkOwner, waiting: Waiting): void {
    const people = this.#events.get(eventId)
    const rest = people?.get(person)?.filter((one) => one !== waiting) ?? []
    if (rest.length > 0) people?.set(person, rest)
    else people?.delete(person)
    if (people?.size === 0) this.#events.delete(eventId)
  }

  #beginNext(): void {
    const [first] = this.#events
    if (this.#isBusy || first === undefined) return
    const [eventId, people] = first
    const [[person, [next]]] = people
    this.#isBusy = true
    this.#remove({ eventId, person }, next)
    next.begin()
  }

  #end({ eventId, person }: WorkOwner): void {
    this.#isBusy = false
    const people = this.#events.get(eventId)
    if (people !== undefined) moveToEnd(people, person)
    moveToEnd(this.#events, eventId)
    this.#beginNext()
  }
}

function moveToEnd<Value>(line: Map<string, Value>, key: string): void {
  const value = line.get(key)
  if (value === undefined) return
  line.delete(key)
  line.set(key, value)
}
