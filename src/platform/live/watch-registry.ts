/** The open watches of this instance, one for each thing that is watched. */
export class WatchRegistry<Watch> {
  readonly #watches = new Map<string, Watch>()
  readonly #open: (id: string, onEnd: () => void) => Watch

  /** `open` makes the watch of one thing; it calls `onEnd` when nobody watches any more. */
  constructor(open: (id: string, onEnd: () => void) => Watch) {
    this.#open = open
  }

  /** Returns the watch of a thing if anybody watches it. */
  find(id: string): Watch | undefined {
    return this.#watches.get(id)
  }

  /** Returns all watches that are open. */
  all(): Iterable<Watch> {
    return this.#watches.values()
  }

  /** Returns the watch of a thing, opened now if nobody watched it before. */
  open(id: string): Watch {
    const known = this.#watches.get(id)
    if (known !== undefined) return known
    const opened = this.#open(id, () => this.#watches.delete(id))
    this.#watches.set(id, opened)
    return opened
  }
}
