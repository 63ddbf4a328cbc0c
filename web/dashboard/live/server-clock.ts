import type { LiveAsOf } from '../../../src/tracks/schemas/live.ts'

/** Translates the server's times into the page's own. */
type ServerClock = {
  /** Notes when a message arrived. */
  hear(message: LiveAsOf): void
  /** Returns the time on the page's clock of which a message has the state. */
  currentAt(message: LiveAsOf): number
}

/**
 * Creates the clock of a page. The clocks of server and page may differ by hours, so the fastest message so far counts as
 * having taken no time. A message that was held up on its way then shows by how much.
 */
export function createServerClock(nowMs: () => number = () => performance.now()): ServerClock {
  let offsetMs = Number.POSITIVE_INFINITY
  return {
    hear({ as_of, lag_ms }) {
      offsetMs = Math.min(offsetMs, nowMs() - (Date.parse(as_of) + lag_ms))
    },
    currentAt: ({ as_of }) => Date.parse(as_of) + offsetMs,
  }
}
