import type { SharedLimit } from './shared/shared-limit.ts'

/** Maximum number of connections, of all callers together and of each. */
export type ConnectionLimits = { total: number; perCaller: number }

/**
 * Counts responses that last as long as the client stays. A rate limit bounds how fast they are requested, not how many
 * are open at once, and each holds a connection.
 */
export class ConnectionLimit {
  readonly #limits: ConnectionLimits
  readonly #byCaller = new Map<string, number>()
  #count = 0
  #shared: SharedLimit | undefined

  constructor(limits: ConnectionLimits) {
    this.#limits = limits
  }

  /** Divides the limit of each caller among the instances. The limit of all callers protects the memory of this one. */
  share(shared: SharedLimit): void {
    this.#shared = shared
  }

  /** Number of connections that are held. */
  get count(): number {
    return this.#count
  }

  /** Tells whether the limit for all callers is reached. */
  get isFull(): boolean {
    return this.#count >= this.#limits.total
  }

  /** Counts a connection. Returns the function that releases it, or undefined if a limit is reached. */
  hold(caller: string): (() => void) | undefined {
    const held = this.#byCaller.get(caller) ?? 0
    const allowed = this.#shared?.allowance(caller, held) ?? this.#limits.perCaller
    if (this.isFull || held >= allowed) return undefined
    this.#byCaller.set(caller, held + 1)
    this.#shared?.hold(caller, held + 1)
    this.#count++
    let isHeld = true
    return () => {
      if (isHeld) this.#release(caller)
      isHeld = false
    }
  }

  #release(caller: string): void {
    const held = this.#byCaller.get(caller)! - 1
    if (held > 0) this.#byCaller.set(caller, held)
    else this.#byCaller.delete(caller)
    this.#shared?.hold(caller, held)
    this.#count--
  }
}
