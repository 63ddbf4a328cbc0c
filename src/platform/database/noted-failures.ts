import { isDamaged, isFull, translateFailure } from './database-failure.ts'

/** Time for which a full disk counts after a query that met it. */
const FULL_FOR_MS = 10_000

/**
 * Failures that queries meet and a check cannot find at little cost: a damaged page is read by some queries only, and
 * on a full disk a small write may still fit where a larger one does not. Damage stays until the process ends.
 */
export class NotedFailures {
  #damage: unknown
  #full: unknown
  #fullAtMs = Number.NEGATIVE_INFINITY

  /** Translates the error of a driver, and remembers it if it concerns the database as a whole. */
  translated(error: unknown): unknown {
    const translated = translateFailure(error)
    if (isDamaged(translated)) this.#damage = translated
    else if (isFull(translated)) {
      this.#full = translated
      this.#fullAtMs = performance.now()
    }
    return translated
  }

  /** Throws what was remembered. */
  require(): void {
    if (this.#damage !== undefined) throw this.#damage
    if (performance.now() - this.#fullAtMs < FULL_FOR_MS) throw this.#full
  }
}
