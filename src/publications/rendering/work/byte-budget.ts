/** Counts the bytes of what is under way, so that whoever makes more of it can hold back. */
export class ByteBudget {
  readonly #limitBytes: number
  #usedBytes = 0

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes
  }

  /** Whether more may be begun: what is under way is below the limit. One more, of any size, fits then. */
  hasRoom(): boolean {
    return this.#usedBytes < this.#limitBytes
  }

  /** Counts `bytes` for as long as `work` takes. */
  async during<Result>(bytes: number, work: () => Promise<Result>): Promise<Result> {
    this.#usedBytes += bytes
    try {
      return await work()
    } finally {
      this.#usedBytes -= bytes
    }
  }
}
