export type BatchOptions<Item> = {
  take(item: Item): void
  /** Called after some items were taken. */
  onTaken(): void
  /** Calls back when it is time to go on, such as before the next frame. */
  schedule(goOn: () => void): void
  /** Items are taken for so long at a time. */
  budgetMs: number
  nowMs(): number
}

/** Things that come in faster than a page can be drawn. */
export type Batches<Item> = {
  add(item: Item): void
  /** Forgets what is not yet taken. */
  clear(): void
}

/**
 * Gathers what comes in and takes it together, in order, for a part of each frame: thousands of things at once do not
 * keep the page from scrolling and typing.
 */
export function createBatches<Item>({ take, onTaken, schedule, budgetMs, nowMs }: BatchOptions<Item>): Batches<Item> {
  let waiting: Item[] = []
  let isScheduled = false

  function goOn(): void {
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
    schedule(goOn)
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

/** Before the next frame, or after a second in a page that nobody sees and that has no frames. */
export function beforeNextFrame(goOn: () => void): void {
  const frame = requestAnimationFrame(() => {
    clearTimeout(timer)
    goOn()
  })
  const timer = setTimeout(() => {
    cancelAnimationFrame(frame)
    goOn()
  }, 1000)
}
