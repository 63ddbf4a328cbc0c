const FIRST_WAIT_MS = 1000
/**
 * "A few minutes": a phone that comes back into a network is soon heard, and a server that comes back is not overrun.
 */
const LONGEST_WAIT_MS = 300_000
/** Longest wait that a server may ask for. A broken proxy must not silence a phone for years. */
const LONGEST_ASKED_WAIT_MS = 3_600_000

/**
 * Returns the wait after a failure: 1 s, 2 s, 4 s and so on up to five minutes, of which a random half is taken off, so
 * that phones that failed together do not return together.
 * @param failures failures in a row, from 1
 * @param random a number from 0 up to 1
 */
export function backOffMs(failures: number, random: number): number {
  const fullMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (failures - 1))
  return fullMs * (1 - random / 2)
}

/**
 * Reads `Retry-After` (RFC 9110, 10.2.3): seconds, or a date, which is compared with the server's own `Date`,
 * because the clock of a phone may be wrong.
 * @returns milliseconds; undefined without a wait
 */
export function retryAfterMs(retryAfter: string | null, date: string | null, nowMs: number): number | undefined {
  if (retryAfter === null) return undefined
  const isSeconds = /^\d+$/.test(retryAfter)
  const waitMs = isSeconds ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - (Date.parse(date ?? '') || nowMs)
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(waitMs, 0), LONGEST_ASKED_WAIT_MS)
}
