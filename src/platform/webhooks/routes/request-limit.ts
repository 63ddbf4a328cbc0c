import { rateLimited } from '../../errors.ts'
import { RateLimit } from '../../http/limits/rate-limit.ts'

/**
 * Tests and redeliveries that are accepted in a minute, on one instance. Each is a request to a stranger, and of tests
 * each is kept in the log.
 */
const MAX_IN_A_MINUTE = 30
const MINUTE_MS = 60_000

/** Counts a test or redelivery of an event or workspace. @throws rateLimited with `Retry-After` */
export type LimitRequests = (ownerId: string) => void

/** Creates the limit of tests and redeliveries, which has its own count for each event or workspace. */
export function limitRequests(): LimitRequests {
  const limit = new RateLimit(MAX_IN_A_MINUTE, { windowMs: MINUTE_MS })
  return (ownerId) => {
    const { allowed, resetSec } = limit.take(ownerId)
    if (allowed) return
    throw rateLimited({
      detail: `More than ${MAX_IN_A_MINUTE} tests and redeliveries in a minute; try again in ${resetSec} s.`,
      headers: { 'retry-after': String(resetSec) },
    })
  }
}
