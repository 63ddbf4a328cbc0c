/** Order of those that wait: by the first number, the lower the sooner, then by the second. */
export type Rank = readonly [number, number]

type Place = { rank: Rank; settle(isAdmitted: boolean): void }

type Limits = { atOnce: number; waiting: number; maxWaitMs: number }

/**
 * Lets in a few at once. Others wait by their rank, and of equal rank by their arrival. If all places are taken, one
 * that arrives with a better rank takes that of the worst, so that a flood cannot fill the room for everyone else.
 */
export class WaitingRoom {
  readonly #limits: Limits
  /** The best first. */
  readonly #places: Place[] = []
  #inside = 0

  constructor(limits: Limits) {
    this.#limits = limits
  }

  /** Waits for admission, after which `leave` must be called. Returns false if it is refused, or takes too long. */
  async enter(rank: Rank): Promise<boolean> {
    if (this.#inside < this.#limits.atOnce) {
      this.#inside++
      return true
    }
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const tooLong = setTimeout(() => {
      this.#places.splice(this.#places.indexOf(place), 1)
      resolve(false)
    }, this.#limits.maxWaitMs)
    const place: Place = {
      rank,
      settle(isAdmitted) {
        clearTimeout(tooLong)
        resolve(isAdmitted)
      },
    }
    const isBefore = this.#places.findIndex((other) => compare(rank, other.rank) < 0)
    this.#places.splice(isBefore === -1 ? this.#places.length : isBefore, 0, place)
    if (this.#places.length > this.#limits.waiting) this.#places.pop()!.settle(false)
    return await promise
  }

  /** Lets in the next. */
  leave(): void {
    const next = this.#places.shift()
    if (next === undefined) this.#inside--
    else next.settle(true)
  }
}

function compare(one: Rank, other: Rank): number {
  return one[0] - other[0] || one[1] - other[1]
}
