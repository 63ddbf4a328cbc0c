import { RECENT_MS } from '#platform/http/operators/operator-effect.ts'

const DAY_MS = 86_400_000

/** Unused sessions end after this time, so that a forgotten browser does not stay signed in. */
export const IDLE_LIFETIME_MS = 14 * DAY_MS
/** Used sessions end after this time, so that a stolen cookie does not work for ever. */
export const MAX_LIFETIME_MS = 90 * DAY_MS
/** The same for accounts of the identity provider, which is asked again once a working day. */
export const PROVIDER_LIFETIME_MS = DAY_MS / 3
/** Minimum time between two updates of `last_seen_at`. Without it, every request would write. */
export const TOUCH_INTERVAL_MS = 300_000

type Times = { createdAtMs: number; lastSeenAtMs: number; isOfProvider: boolean }

/** Returns the time at which a session ends unless it is used again. */
export function sessionExpiresAtMs({ createdAtMs, lastSeenAtMs, isOfProvider }: Times): number {
  const maxLifetimeMs = isOfProvider ? PROVIDER_LIFETIME_MS : MAX_LIFETIME_MS
  return Math.min(lastSeenAtMs + IDLE_LIFETIME_MS, createdAtMs + maxLifetimeMs)
}

/** Returns the time until which a confirmation counts for whatever needs a recent one. */
export function confirmedUntilMs(confirmedAtMs: number): number {
  return confirmedAtMs + RECENT_MS
}
