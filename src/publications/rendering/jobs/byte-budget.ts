/** Counts the bytes in use, so that their producer can pause. */
export class ByteBudget {
  readonly #limitBytes: number
  #usedBytes = 0

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes
  }

  /** Returns true while the bytes in use are below the limit. One more item, of any size, may then be added. */
  hasRoom(): boolean {
    return this.#usedBytes < this.#limitBytes
  }

  /** Counts `bytes` as used until `work` is done. */
  async during<Result>(bytes: number, work: () => Promise<Result>): Promise<Result> {
    this.#usedBytes += bytes
    try {
      return await work()
    } finally {
      this.#usedBytes -= bytes
    }
  }
}
