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
