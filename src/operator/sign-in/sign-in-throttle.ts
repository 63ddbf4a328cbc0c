import { AppError, rateLimited } from '#platform/errors.ts'
import { addressGroup } from '#platform/http/limits/client-address.ts'
import { tokenHash } from '#platform/tokens/token.ts'
import { failurePauseMs, type ThrottleRule, withFailure } from '../domain/sign-in-backoff.ts'
import type { FailuresStore } from '../storage/failures-store.ts'

const MINUTE_MS = 60_000

/** One address tries the passwords of many names; several people may sit behind it. */
const ADDRESS_RULE = { free: 10, firstPauseMs: 1000, longestPauseMs: 15 * MINUTE_MS, forgetAfterMs: 60 * MINUTE_MS }
/** Many addresses try the passwords of one name. Short, since it also keeps out who has that name. */
const NAME_RULE = { free: 5, firstPauseMs: 1000, longestPauseMs: MINUTE_MS, forgetAfterMs: 15 * MINUTE_MS }

/** What nobody needs to know any more. */
export const FORGOTTEN_AFTER_MS = Math.max(ADDRESS_RULE.forgetAfterMs, NAME_RULE.forgetAfterMs)

/** More callers than about these are not remembered; it is looked after once in so many attempts. */
const MAX_CALLERS = 20_000
const ATTEMPTS_PER_LOOK = 1_000

/** A guess that was wrong is answered with one of these; what else fails tells nothing of the secret. */
const WRONG_GUESSES = new Set([401, 403, 410])

/** By what is counted, as a hash: people type passwords where names belong. */
type Caller = { callerSha256: string; rule: ThrottleRule }

export type SignInThrottle = {
  /**
   * Makes an attempt from an address, for a name where it is one by password. It counts as failed from its beginning
   * on, so that of a thousand that come at once only the first few get through, until it has succeeded, or failed for a
   * reason that is not the caller's. Throws what the attempt throws.
   * @throws rateLimited with `Retry-After` while the address or the name has to wait.
   */
  attempt<Result>(from: { address: string; nameKey?: string }, make: () => Promise<Result>): Promise<Result>
}

/** Slows guessing down: by address, and by the name that is guessed for, whether there is an operator of it or not. */
export function createSignInThrottle(failures: FailuresStore, now: () => number): SignInThrottle {
  let attempts = 0

  /** Where another attempt of the same caller comes first, its count is what is looked at next. */
  async function begin(callers: readonly Caller[]): Promise<void> {
    for (;;) {
      const nowMs = now()
      const known = await Promise.all(callers.map(({ callerSha256 }) => failures.find(callerSha256)))
      const pauseMs = Math.max(...callers.map(({ rule }, i) => failurePauseMs(rule, known[i], nowMs)))
      if (pauseMs > 0) throw tooManyFailures(pauseMs)
      const counted = callers.map(({ callerSha256, rule }, i) => ({
        callerSha256,
        known: known[i],
        next: withFailure(rule, known[i], nowMs),
      }))
      if (await failures.count(counted)) break
    }
    if (++attempts % ATTEMPTS_PER_LOOK === 0) await failures.removeExcess(MAX_CALLERS)
  }

  return {
    async attempt({ address, nameKey }, make) {
      const ofAddress = { callerSha256: tokenHash(`address ${addressGroup(address)}`), rule: ADDRESS_RULE }
      const ofName = nameKey === undefined ? [] : [{ callerSha256: tokenHash(`name ${nameKey}`), rule: NAME_RULE }]
      const callers = [ofAddress, ...ofName]
      await begin(callers)
      try {
        const result = await make()
        for (const { callerSha256 } of ofName) await failures.clear(callerSha256)
        await failures.forgive([ofAddress.callerSha256])
        return result
      } catch (error) {
        if (!isWrongGuess(error)) await failures.forgive(callers.map(({ callerSha256 }) => callerSha256))
        throw error
      }
    },
  }
}

function isWrongGuess(error: unknown): boolean {
  return error instanceof AppError && WRONG_GUESSES.has(error.status)
}

function tooManyFailures(pauseMs: number) {
  const pauseSec = Math.ceil(pauseMs / 1000)
  return rateLimited({
    detail: `Too many attempts to sign in have failed; try again in ${pauseSec} s.`,
    headers: { 'retry-after': String(pauseSec) },
  })
}
