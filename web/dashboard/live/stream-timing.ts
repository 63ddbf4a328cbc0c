import type { LiveAsOf } from '../../../src/tracks/live/schemas.ts'

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

/**
 * Creates a queue for items that come in faster than a page can be drawn. It hands them on in order, in one batch per
 * frame with a time budget: thousands of items at once do not keep the page from scrolling and typing.
 */
export function createFrameBatches<Item>(options: FrameBatchOptions<Item>) {
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
    add(item: Item): void {
      waiting.push(item)
      scheduleOnce()
    },
    /** Drops the items that wait. */
    clear(): void {
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

/**
 * A message that should tell the server's time. During an upgrade, an instance of an
 * earlier version sends `ready` without it.
 */
type TimedMessage = Partial<Pick<LiveAsOf, 'as_of' | 'lag_ms'>>

/**
 * Creates the clock of a page, which translates the server's times into the page's own. The clocks of server and page
 * may differ by hours, so the fastest message so far counts as having taken no time. A message that was held up on its
 * way then shows by how much.
 */
export function createServerClock(nowMs: () => number = () => performance.now()) {
  let offsetMs = Number.POSITIVE_INFINITY
  const asOfMs = ({ as_of }: TimedMessage) => {
    const timeMs = Date.parse(as_of ?? '')
    return Number.isNaN(timeMs) ? undefined : timeMs
  }
  return {
    /** Notes when a message arrived. */
    hear(message: TimedMessage): void {
      const timeMs = asOfMs(message)
      if (timeMs !== undefined) offsetMs = Math.min(offsetMs, nowMs() - (timeMs + (message.lag_ms ?? 0)))
    },
    /**
     * Returns the time on the page's clock of which a message has the state; undefined if the message does not tell it.
     */
    currentAt(message: TimedMessage): number | undefined {
      const timeMs = asOfMs(message)
      return timeMs === undefined || !Number.isFinite(offsetMs) ? undefined : timeMs + offsetMs
    },
    /** Returns the server's time, in milliseconds since 1970; undefined before the first message that told it. */
    serverNowMs: () => (Number.isFinite(offsetMs) ? nowMs() - offsetMs : undefined),
  }
}

/** Shortest time between two runs; more often changes nothing that an eye sees. */
const MIN_INTERVAL_MS = 250
/** Pause after a run as a multiple of what it cost, so that a page with thousands of tracks is drawn less often. */
const PAUSE_PER_COST = 4

/** Runs an update at once, and then not again before a pause that grows with the time the update took. */
export function throttleByCost(update: () => void): { run(): void; stop(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isDue = false

  function begin(): void {
    isDue = false
    const startMs = performance.now()
    update()
    // This timer fires after the page has been drawn, so that drawing is part of the cost.
    timer = setTimeout(() => {
      const costMs = performance.now() - startMs
      timer = setTimeout(end, Math.max(MIN_INTERVAL_MS, costMs * PAUSE_PER_COST))
    })
  }

  function end(): void {
    timer = undefined
    if (isDue) begin()
  }

  return {
    run() {
      if (timer === undefined) begin()
      else isDue = true
    },
    stop: () => clearTimeout(timer),
  }
}
