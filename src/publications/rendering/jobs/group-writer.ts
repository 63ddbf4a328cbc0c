/**
 * Writes added items in groups: the first at once, and items added during a write together in the next one. `add`
 * resolves or rejects with its group.
 */
export class GroupWriter<Item> {
  readonly #write: (items: Item[]) => Promise<void>
  #waiting: Item[] = []
  #next: Promise<void> | undefined
  #current: Promise<void> = Promise.resolve()

  constructor(write: (items: Item[]) => Promise<void>) {
    this.#write = write
  }

  add(item: Item): Promise<void> {
    this.#waiting.push(item)
    this.#next ??= this.#begin()
    return this.#next
  }

  async #begin(): Promise<void> {
    await this.#current.catch(() => {})
    const items = this.#waiting
    this.#waiting = []
    this.#current = this.#next!
    this.#next = undefined
    await this.#write(items)
  }
}
