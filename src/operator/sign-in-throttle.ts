import { rateLimited } from '#platform/errors.ts'
import { addressGroup } from '#platform/http/client-address.ts'
import { FailureThrottle } from './failure-throttle.ts'

const MINUTE_MS = 60_000

/** One address tries the passwords of many names; several people may sit behind it. */
const ADDRESS_RULE = { free: 10, firstPauseMs: 1000, longestPauseMs: 15 * MINUTE_MS, forgetAfterMs: 60 * MINUTE_MS }
/** Many addresses try the passwords of one name. Short, since it also keeps out who has that name. */
const NAME_RULE = { free: 5, firstPauseMs: 1000, longestPauseMs: MINUTE_MS, forgetAfterMs: 15 * MINUTE_MS }

/** An attempt that counts as failed until it is said to have succeeded. */
export type SignInAttempt = { succeeded(): void }

export type SignInThrottle = {
  /**
   * Begins an attempt from an address, for a name where it is one by password.
   * @throws rateLimited with `Retry-After` while one of them has to wait.
   */
  begin(address: string, nameKey?: string): SignInAttempt
}

/** Slows guessing down: by address, and by the name that is guessed for, whether there is an operator of it or not. */
export function createSignInThrottle(nowMs: () => number): SignInThrottle {
  const addresses = new FailureThrottle(ADDRESS_RULE, nowMs)
  const names = new FailureThrottle(NAME_RULE, nowMs)

  return {
    begin(address, nameKey) {
      const group = addressGroup(address)
      const pauseMs = Math.max(addresses.pauseMs(group), nameKey === undefined ? 0 : names.pauseMs(nameKey))
      if (pauseMs > 0) throw tooManyFailures(pauseMs)
      addresses.count(group)
      if (nameKey !== undefined) names.count(nameKey)
      return {
        succeeded() {
          addresses.forgive(group)
          if (nameKey !== undefined) names.clear(nameKey)
        },
      }
    },
  }
}

function tooManyFailures(pauseMs: number) {
  const pauseSec = Math.ceil(pauseMs / 1000)
  return rateLimited({
    detail: `Too many attempts to sign in have failed; try again in ${pauseSec} s.`,
    headers: { 'retry-after': String(pauseSec) },
  })
}
