import type { LiveAsOf } from '../../../../src/tracks/schemas/live.ts'

/**
 * A message that should tell the server's time. During an upgrade, an instance of an
 * earlier version sends `ready` without it.
 */
type TimedMessage = Partial<Pick<LiveAsOf, 'as_of' | 'lag_ms'>>

/** Translates the server's times into the page's own. */
type ServerClock = {
  /** Notes when a message arrived. */
  hear(message: TimedMessage): void
  /**
   * Returns the time on the page's clock of which a message has the state; undefined if the message does not tell it.
   */
  currentAt(message: TimedMessage): number | undefined
  /** Returns the server's time, in milliseconds since 1970; undefined before the first message that told it. */
  serverNowMs(): number | undefined
}

/**
 * Creates the clock of a page. The clocks of server and page may differ by hours, so the fastest message so far counts
 * as having taken no time. A message that was held up on its way then shows by how much.
 */
export function createServerClock(nowMs: () => number = () => performance.now()): ServerClock {
  let offsetMs = Number.POSITIVE_INFINITY
  const asOfMs = ({ as_of }: TimedMessage) => {
    const timeMs = Date.parse(as_of ?? '')
    return Number.isNaN(timeMs) ? undefined : timeMs
  }
  return {
    hear(message) {
      const timeMs = asOfMs(message)
      if (timeMs !== undefined) offsetMs = Math.min(offsetMs, nowMs() - (timeMs + (message.lag_ms ?? 0)))
    },
    currentAt(message) {
      const timeMs = asOfMs(message)
      return timeMs === undefined || !Number.isFinite(offsetMs) ? undefined : timeMs + offsetMs
    },
    serverNowMs: () => (Number.isFinite(offsetMs) ? nowMs() - offsetMs : undefined),
  }
}
