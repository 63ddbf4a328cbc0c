const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 8000
/** Longest wait that a server may request. */
const LONGEST_ASKED_WAIT_MS = 60_000

/** Statuses worth a retry: from the service (429, 503), or from a proxy that cannot reach it (502, 504). */
export function isWorthAnotherTry(status: number): boolean {
  return [429, 502, 503, 504].includes(status)
}

/** Returns the wait before the next attempt. It doubles with each failure, up to a limit. */
export function backOffMs(attempts: number, firstMs = FIRST_WAIT_MS): number {
  return Math.min(firstMs * 2 ** (attempts - 1), LONGEST_WAIT_MS)
}

/** Parses `Retry-After` (RFC 9110, 10.2.3: seconds, or a date). Returns undefined without a wait. */
export function askedWaitMs(retryAfter: string | undefined, nowMs: number): number | undefined {
  if (retryAfter === undefined) return undefined
  const waitMs = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - nowMs
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(waitMs, 0), LONGEST_ASKED_WAIT_MS)
}
