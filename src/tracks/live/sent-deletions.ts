/** The deletions that viewers were told, as long as a poll may find them again. */
export class SentDeletions {
  #told: ReadonlySet<string> = new Set()

  /** Number of deletions that are remembered. */
  get size(): number {
    return this.#told.size
  }

  /** Returns those of the found deletions that are news. All others are forgotten: later polls begin later. */
  newsOf<Found extends { id: string }>(found: readonly Found[]): Found[] {
    const news = found.filter(({ id }) => !this.#told.has(id))
    this.#told = new Set(found.map(({ id }) => id))
    return news
  }
}
