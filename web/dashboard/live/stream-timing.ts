/**
 * Waits for a time, and in a page that nobody sees until somebody looks at it. After the sleep of a phone it ends at
 * once, because the page is old then.
 */
export function untilShown(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const isSeen = () => document.visibilityState === 'visible'
    const timer = setTimeout(() => isSeen() && end(), ms)
    const changed = () => isSeen() && end()
    const end = () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', changed)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    document.addEventListener('visibilitychange', changed)
    signal?.addEventListener('abort', end)
  })
}

/** The server's time of a state, and its age when it was sent. */
type Timed = { asOfMs: number; lagMs: number }

/**
 * Creates the clock of a page, which translates the server's times into the page's own. The clocks of server and page
 * may differ by hours, so the fastest answer so far counts as having taken no time. An answer that was held up on its
 * way then shows by how much.
 */
export function createServerClock(nowMs: () => number = () => performance.now()) {
  let offsetMs = Number.POSITIVE_INFINITY
  return {
    /** Notes when an answer arrived. */
    hear({ asOfMs, lagMs }: Timed): void {
      offsetMs = Math.min(offsetMs, nowMs() - (asOfMs + lagMs))
    },
    /** Returns the time on the page's clock of which an answer has the state; undefined before the first. */
    currentAt: ({ asOfMs }: Timed) => (Number.isFinite(offsetMs) ? asOfMs + offsetMs : undefined),
    /** Returns the server's time, in milliseconds since 1970; undefined before the first answer. */
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
