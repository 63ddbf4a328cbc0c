const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 8000
/** A server that asks for more than this is asked again anyway. */
const LONGEST_ASKED_WAIT_MS = 60_000

/** The status codes that say "not now": of the service (429, 503), or of a proxy that does not reach it (502, 504). */
export function isWorthAnotherTry(status: number): boolean {
  return [429, 502, 503, 504].includes(status)
}

/** How long to wait before the next attempt, after so many in vain: twice as long each time, up to a limit. */
export function backOffMs(attempts: number, firstMs = FIRST_WAIT_MS): number {
  return Math.min(firstMs * 2 ** (attempts - 1), LONGEST_WAIT_MS)
}

/** The wait that a `Retry-After` asks for (RFC 9110, 10.2.3: seconds, or a date); undefined where it asks for none. */
export function askedWaitMs(retryAfter: string | undefined, nowMs: number): number | undefined {
  if (retryAfter === undefined) return undefined
  const waitMs = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - nowMs
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(waitMs, 0), LONGEST_ASKED_WAIT_MS)
}
