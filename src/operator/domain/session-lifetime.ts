const DAY_MS = 86_400_000

/** A session that is not used ends: a browser forgotten somewhere does not stay signed in. */
export const IDLE_LIFETIME_MS = 14 * DAY_MS
/** However much it is used, it ends after this, so that a stolen cookie does. */
export const LONGEST_LIFETIME_MS = 90 * DAY_MS
/** Use is written down no more often than this; reading would otherwise write at every request. */
export const NOTED_EVERY_MS = 300_000

type Times = { createdAtMs: number; lastSeenAtMs: number }

/** When a session ends if it is not used again. */
export function sessionExpiresAtMs({ createdAtMs, lastSeenAtMs }: Times): number {
  return Math.min(lastSeenAtMs + IDLE_LIFETIME_MS, createdAtMs + LONGEST_LIFETIME_MS)
}
