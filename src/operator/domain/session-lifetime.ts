const DAY_MS = 86_400_000

/** Unused sessions end after this time, so that a forgotten browser does not stay signed in. */
export const IDLE_LIFETIME_MS = 14 * DAY_MS
/** Used sessions end after this time, so that a stolen cookie does not work for ever. */
export const MAX_LIFETIME_MS = 90 * DAY_MS
/** Minimum time between two updates of `last_seen_at`. Without it, every request would write. */
export const TOUCH_INTERVAL_MS = 300_000
/** Time for which a confirmation counts: long enough for a task of several steps, too short for a browser left open. */
const CONFIRMED_FOR_MS = 600_000

type Times = { createdAtMs: number; lastSeenAtMs: number }

/** Returns the time at which a session ends unless it is used again. */
export function sessionExpiresAtMs({ createdAtMs, lastSeenAtMs }: Times): number {
  return Math.min(lastSeenAtMs + IDLE_LIFETIME_MS, createdAtMs + MAX_LIFETIME_MS)
}

/** Tells whether an operator has confirmed recently enough for a dangerous action. */
export function isRecentlyConfirmed(confirmedAtMs: number, nowMs: number): boolean {
  return nowMs < confirmedUntilMs(confirmedAtMs)
}

/** Returns the time until which a confirmation counts. */
export function confirmedUntilMs(confirmedAtMs: number): number {
  return confirmedAtMs + CONFIRMED_FOR_MS
}
