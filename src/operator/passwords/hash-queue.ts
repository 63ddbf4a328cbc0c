/**
 * Runs one piece of work at a time. Each group has a bounded queue of its own, and groups that wait take turns, so that
 * a flood in one holds up another by a single piece.
 */
export class HashQueue {
  readonly #maxWaiting: number
  /** The group that runs goes to the end when it has finished. */
  readonly #waiting = new Map<string, (() => void)[]>()
  #isRunning = false

  constructor(maxWaiting: number) {
    this.#maxWaiting = maxWaiting
  }

  /** Runs the work in the turn of its group. Returns undefined if too much of the group waits. */
  run<Result>(group: string, work: () => Promise<Result>): Promise<Result> | undefined {
    if (!this.#isRunning) return this.#start(work)
    const waiting = this.#waiting.get(group) ?? []
    if (waiting.length >= this.#maxWaiting) return undefined
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting.push(resolve)
    this.#waiting.set(group, waiting)
    return promise.then(() => this.#start(work))
  }

  async #start<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#isRunning = true
    try {
      return await work()
    } finally {
      this.#next()
    }
  }

  #next(): void {
    const [group, waiting] = this.#waiting.entries().next().value ?? []
    if (group === undefined || waiting === undefined) {
      this.#isRunning = false
      return
    }
    const begin = waiting.shift()!
    this.#waiting.delete(group)
    if (waiting.length > 0) this.#waiting.set(group, waiting)
    // The next piece begins in a later turn of the loop, and nothing may come before it.
    begin()
  }
}
