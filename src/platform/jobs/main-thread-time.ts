import { setTimeout as wait } from 'node:timers/promises'

/** Share of the main thread's time for work that nobody's request waits for. */
const SHARE = 0.25
/** Most time that counts for one piece of work: beyond that it was probably waiting for a database. */
const MAX_COUNTED_MS = 40

/** Time after which long work rests, and the rest: a request that comes meanwhile waits for a millisecond. */
const SLICE_MS = 1
const REST_MS = SLICE_MS * (1 / SHARE - 1)
/** Items that are worked at without a look at the time, a fraction of a millisecond. */
const ITEMS_AT_ONCE = 200

/** Long work of the main thread in short slices, so that requests do not notice it. */
export class ShortSlices {
  // Elapsed time: processor time may be counted in ticks of the kernel, of 4 ms.
  #startMs = performance.now()

  /** To be called every few hundred microseconds. Rests once the slice is over. */
  async next(): Promise<void> {
    if (performance.now() - this.#startMs < SLICE_MS) return
    await wait(REST_MS, undefined, { ref: false })
    this.#startMs = performance.now()
  }

  /** Does the work for each item, some hundred without a look at the time. */
  async each<Item>(items: Iterable<Item>, work: (item: Item, i: number) => void): Promise<void> {
    let i = 0
    for (const item of items) {
      if (i % ITEMS_AT_ONCE === 0) await this.next()
      work(item, i++)
    }
  }

  /** Returns items in their order, which is found in parts. */
  async sorted<Item>(items: readonly Item[], compare: (one: Item, other: Item) => number): Promise<Item[]> {
    let runs: Item[][] = []
    for (let start = 0; start < items.length; start += ITEMS_AT_ONCE) {
      await this.next()
      runs.push(items.slice(start, start + ITEMS_AT_ONCE).sort(compare))
    }
    while (runs.length > 1) {
      const longer: Item[][] = []
      for (let i = 0; i < runs.length; i += 2) longer.push(await this.#merged(runs[i], runs[i + 1] ?? [], compare))
      runs = longer
    }
    return runs[0] ?? []
  }

  async #merged<Item>(first: Item[], second: Item[], compare: (one: Item, other: Item) => number): Promise<Item[]> {
    const merged: Item[] = []
    let [i, j] = [0, 0]
    while (i < first.length && j < second.length) {
      if ((i + j) % ITEMS_AT_ONCE === 0) await this.next()
      merged.push(compare(first[i], second[j]) <= 0 ? first[i++] : second[j++])
    }
    return merged.concat(first.slice(i), second.slice(j))
  }
}

/**
 * Gives work for viewers a bounded share of the thread that answers requests. All work takes turns, and after each
 * slice it rests three times as long. A busy event is delivered later instead of delaying phones.
 */
export class MainThreadShare {
  #turn: Promise<void> = Promise.resolve()
  #usedMs = 0

  /** Does the work for each item, in slices, and rests according to the processor time that it took. */
  async forEach<Item>(items: Iterable<Item>, work: (item: Item) => void): Promise<void> {
    const rest = items[Symbol.iterator]()
    let isDone = false
    while (!isDone) {
      await this.#inTurn(() => {
        const startMs = performance.now()
        const usedBefore = process.threadCpuUsage()
        do {
          const { value, done } = rest.next()
          if (done) {
            isDone = true
            break
          }
          work(value)
        } while (performance.now() - startMs < SLICE_MS)
        // Processor time: while another process has the core, viewers cost phones nothing.
        const { user, system } = process.threadCpuUsage(usedBefore)
        return (user + system) / 1000
      })
    }
  }

  /** Counts time that was used, and rests if it is due. */
  async spend(ms: number): Promise<void> {
    await this.#inTurn(() => ms)
  }

  async #inTurn(work: () => number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const before = this.#turn
    this.#turn = promise
    await before
    try {
      this.#usedMs += Math.min(work(), MAX_COUNTED_MS)
      if (this.#usedMs < SLICE_MS) return
      await wait(this.#usedMs * (1 / SHARE - 1), undefined, { ref: false })
      this.#usedMs = 0
    } finally {
      resolve()
    }
  }
}
