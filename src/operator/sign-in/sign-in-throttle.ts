import { AppError, rateLimited } from '#platform/errors.ts'
import { addressGroup } from '#platform/http/limits/client-address.ts'
import { tokenHash } from '#platform/tokens/token.ts'
import { addFailure, type BackoffRule, backoffMs } from '../domain/sign-in-backoff.ts'
import type { FailuresStore } from '../storage/failures-store.ts'

const MINUTE_MS = 60_000

/** For an address that tries the passwords of many names. Several people may share the address. */
const ADDRESS_RULE = { free: 10, firstPauseMs: 1000, maxPauseMs: 15 * MINUTE_MS, forgetAfterMs: 60 * MINUTE_MS }
/** For many addresses that try the passwords of one name. Short, because it also locks out the operator of that name. */
const NAME_RULE = { free: 5, firstPauseMs: 1000, maxPauseMs: MINUTE_MS, forgetAfterMs: 15 * MINUTE_MS }

/** Age at which stored failures no longer matter. */
export const FORGET_AFTER_MS = Math.max(ADDRESS_RULE.forgetAfterMs, NAME_RULE.forgetAfterMs)

/** Approximate number of callers that are remembered, trimmed once in so many attempts. */
const MAX_CALLERS = 20_000
const ATTEMPTS_PER_TRIM = 1_000

/** Statuses of a wrong guess. Any other failure says nothing about the secret. */
const WRONG_GUESSES = new Set([401, 403, 410])

/** An address or a name, as a hash: people type passwords where names belong. */
type Caller = { callerSha256: string; rule: BackoffRule }

export type SignInThrottle = {
  /**
   * Runs an attempt to sign in from an address, for a name if it is one by password. The attempt counts as a failure from
   * its start, so that of a thousand at once only the first few get through. The failure is taken back when the attempt
   * succeeds, or fails for a reason other than a wrong guess. Throws what the attempt throws.
   * @throws rateLimited with `Retry-After` while the address or the name has to wait.
   */
  attempt<Result>(from: { address: string; nameKey?: string }, make: () => Promise<Result>): Promise<Result>
}

/** Slows guessing down, by address and by name. A name counts whether or not an operator has it. */
export function createSignInThrottle(failures: FailuresStore, now: () => number): SignInThrottle {
  let attempts = 0

  /** Counts the attempt. Starts over with the new count if another attempt of the same caller was counted meanwhile. */
  async function begin(callers: readonly Caller[]): Promise<void> {
    for (;;) {
      const nowMs = now()
      const known = await Promise.all(callers.map(({ callerSha256 }) => failures.find(callerSha256)))
      const pauseMs = Math.max(...callers.map(({ rule }, i) => backoffMs(rule, known[i], nowMs)))
      if (pauseMs > 0) throw tooManyFailures(pauseMs)
      const counted = callers.map(({ callerSha256, rule }, i) => ({
        callerSha256,
        known: known[i],
        next: addFailure(rule, known[i], nowMs),
      }))
      if (await failures.count(counted)) break
    }
    if (++attempts % ATTEMPTS_PER_TRIM === 0) await failures.removeExcess(MAX_CALLERS)
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
    detail: `Too many failed attempts to sign in. Try again in ${pauseSec} s.`,
    headers: { 'retry-after': String(pauseSec) },
  })
}
