/** How many connections may be held: by all callers together, and by each. */
export type HoldLimits = { total: number; perCaller: number }

/**
 * Counts answers that last as long as the client stays. A rate limit bounds how fast they are asked for, not how many
 * there are at once, and each holds a connection.
 */
export class HeldConnections {
  readonly #limits: HoldLimits
  readonly #byCaller = new Map<string, number>()
  #count = 0

  constructor(limits: HoldLimits) {
    this.#limits = limits
  }

  /** How many are held. */
  get count(): number {
    return this.#count
  }

  /** Whether there is a place left for nobody. */
  get isFull(): boolean {
    return this.#count >= this.#limits.total
  }

  /** Takes a place and gives the function that gives it back; undefined where the caller, or all, have none left. */
  hold(caller: string): (() => void) | undefined {
    const held = this.#byCaller.get(caller) ?? 0
    if (this.isFull || held >= this.#limits.perCaller) return undefined
    this.#byCaller.set(caller, held + 1)
    this.#count++
    let isHeld = true
    return () => {
      if (isHeld) this.#giveBack(caller)
      isHeld = false
    }
  }

  #giveBack(caller: string): void {
    const held = this.#byCaller.get(caller)! - 1
    if (held > 0) this.#byCaller.set(caller, held)
    else this.#byCaller.delete(caller)
    this.#count--
  }
}
