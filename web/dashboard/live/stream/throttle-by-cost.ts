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
