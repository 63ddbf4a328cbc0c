import { AppError, RETRY_SOON_SEC, unavailable } from '../basics/errors.ts'

/** Work in progress, and how many wait for it. */
type Shared<Result> = { result: Promise<Result>; waiting: number; abandon: AbortController }

/**
 * Lets all who ask for the same result at the same time wait for one piece of work. It ends when nobody waits any more.
 */
export class SharedWork<Result> {
  readonly #running = new Map<string, Shared<Result>>()

  /**
   * Joins the work of a key, or begins it. `begin` gets a signal that aborts when the last one who waited has left.
   * @throws the reason of `left` when it aborts
   */
  async join(
    key: string,
    left: AbortSignal | undefined,
    begin: (abandoned: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    left?.throwIfAborted()
    const shared = this.#running.get(key) ?? this.#begin(key, begin)
    shared.waiting++
    try {
      return left === undefined ? await shared.result : await unlessAborted(shared.result, left)
    } finally {
      shared.waiting--
      if (shared.waiting === 0) this.#end(key, shared)
    }
  }

  #begin(key: string, begin: (abandoned: AbortSignal) => Promise<Result>): Shared<Result> {
    const abandon = new AbortController()
    const shared = { result: begin(abandon.signal), waiting: 0, abandon }
    this.#running.set(key, shared)
    const end = () => this.#end(key, shared)
    shared.result.then(end, end)
    return shared
  }

  #end(key: string, shared: Shared<Result>): void {
    if (this.#running.get(key) === shared) this.#running.delete(key)
    shared.abandon.abort()
  }
}

async function unlessAborted<Result>(result: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const leave = () => reject(signal.reason)
  signal.addEventListener('abort', leave, { once: true })
  try {
    return await Promise.race([result, aborted])
  } finally {
    signal.removeEventListener('abort', leave)
  }
}

/** Limits of a `WorkQueue`. */
export type WorkQueueLimits = {
  /** Works that run at once. */
  running: number
  /** Works that wait for their turn, of all callers and of each. */
  waiting: number
  waitingPerCaller: number
}

/** A client that waits for work: the caller it counts for, and a signal that aborts when it stops waiting. */
export type WorkClient = { caller: string; signal: AbortSignal }

type Work<Result> = {
  caller: string
  run: () => Promise<Result>
  done: PromiseWithResolvers<Result>
}

/** The refusal of work because too much waits, or because the queue is closed. */
export class QueueFullError extends AppError {
  constructor() {
    super(unavailable.code, unavailable.status, unavailable.message, { retryAfterSec: RETRY_SOON_SEC })
    this.name = 'QueueFullError'
  }
}

/**
 * Runs costly work that anyone may request: once for all who wait for the same result, a few at a time, and callers in
 * turns, so that a caller with many requests delays only their own. Work whose clients have all left is dropped, or
 * aborted if it runs. When the queue is full, the caller with the most waiting work loses the newest.
 */
export class WorkQueue<Result> {
  readonly #limits: WorkQueueLimits
  /** Waiting and running work that can still be joined. */
  readonly #shared = new SharedWork<Result>()
  /** Waiting work by caller; the first caller is next. */
  readonly #lines = new Map<string, Work<Result>[]>()
  readonly #running = new Set<Promise<void>>()
  readonly #closing = new AbortController()
  #waiting = 0

  constructor(limits: WorkQueueLimits) {
    this.#limits = limits
  }

  /** The number of works that wait for their turn. */
  get waiting(): number {
    return this.#waiting
  }

  /**
   * Returns the result of work, which is the same for every caller with this key. Rejects like the work, with the
   * signal's reason once it aborts, and with QueueFullError.
   */
  async do(
    key: string,
    { caller, signal }: WorkClient,
    run: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    return await this.#shared.join(key, signal, (abandoned) => {
      if (this.#closing.signal.aborted) throw new QueueFullError()
      const done = Promise.withResolvers<Result>()
      const work = { caller, run: () => run(AbortSignal.any([abandoned, this.#closing.signal])), done }
      if (this.#running.size >= this.#limits.running) this.#enqueue(work)
      else this.#start(work)
      abandoned.addEventListener('abort', () => this.#remove(work), { once: true })
      return done.promise
    })
  }

  /** Refuses further work, drops the waiting, and aborts the running. Resolves when that has ended. */
  async close(): Promise<void> {
    this.#closing.abort()
    for (const line of [...this.#lines.values()]) for (const work of [...line]) this.#refuse(work)
    await Promise.all(this.#running)
  }

  #enqueue(work: Work<Result>): void {
    const line = this.#lines.get(work.caller) ?? []
    if (line.length >= this.#limits.waitingPerCaller) throw new QueueFullError()
    if (this.#waiting >= this.#limits.waiting) this.#displace(line.length)
    line.push(work)
    this.#lines.set(work.caller, line)
    this.#waiting++
  }

  /** Makes room for a caller with `own` waiting works: the caller with the most gives up the newest. */
  #displace(own: number): void {
    const [longest] = [...this.#lines.values()].sort((a, b) => b.length - a.length)
    if (longest === undefined || longest.length <= own + 1) throw new QueueFullError()
    this.#refuse(longest.at(-1)!)
  }

  #refuse(work: Work<Result>): void {
    this.#remove(work)
    work.done.reject(new QueueFullError())
  }

  /** Removes work that still waits. */
  #remove(work: Work<Result>): void {
    const line = this.#lines.get(work.caller)
    const at = line?.indexOf(work) ?? -1
    if (line === undefined || at < 0) return
    line.splice(at, 1)
    if (line.length === 0) this.#lines.delete(work.caller)
    this.#waiting--
  }

  #start(work: Work<Result>): void {
    const running = work
      .run()
      .then(work.done.resolve, work.done.reject)
      .finally(() => {
        this.#running.delete(running)
        this.#startNext()
      })
    this.#running.add(running)
  }

  #startNext(): void {
    const [next] = this.#lines
    if (next === undefined || this.#running.size >= this.#limits.running) return
    const [caller, line] = next
    const [work] = line
    this.#lines.delete(caller)
    // The caller's other work goes behind everyone else's.
    this.#lines.set(caller, line)
    this.#waiting--
    line.shift()
    if (line.length === 0) this.#lines.delete(caller)
    this.#start(work)
  }
}
