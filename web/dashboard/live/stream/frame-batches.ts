type FrameBatchOptions<Item> = {
  take(item: Item): void
  /** Called after each batch. */
  onTaken(): void
  /** Calls back when the next batch may be taken, such as before the next frame. */
  schedule(callback: () => void): void
  /** Longest time for one batch. */
  budgetMs: number
  nowMs(): number
}

/** A queue for items that come in faster than a page can be drawn. */
type FrameBatches<Item> = {
  add(item: Item): void
  /** Drops the items that wait. */
  clear(): void
}

/**
 * Creates a queue that hands items on in order, in one batch per frame with a time budget: thousands of items at once
 * do not keep the page from scrolling and typing.
 */
export function createFrameBatches<Item>(options: FrameBatchOptions<Item>): FrameBatches<Item> {
  const { take, onTaken, schedule, budgetMs, nowMs } = options
  let waiting: Item[] = []
  let isScheduled = false

  function takeBatch(): void {
    isScheduled = false
    if (waiting.length === 0) return
    const endMs = nowMs() + budgetMs
    let taken = 0
    do take(waiting[taken++])
    while (taken < waiting.length && nowMs() < endMs)
    waiting = waiting.slice(taken)
    onTaken()
    scheduleOnce()
  }

  function scheduleOnce(): void {
    if (isScheduled || waiting.length === 0) return
    isScheduled = true
    schedule(takeBatch)
  }

  return {
    add(item) {
      waiting.push(item)
      scheduleOnce()
    },
    clear() {
      waiting = []
    },
  }
}

/** Calls back before the next frame, or after a second in a hidden page, which has no frames. */
export function beforeNextFrame(callback: () => void): void {
  const frame = requestAnimationFrame(() => {
    clearTimeout(timer)
    callback()
  })
  const timer = setTimeout(() => {
    cancelAnimationFrame(frame)
    callback()
  }, 1000)
}
