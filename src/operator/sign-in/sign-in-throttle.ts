import { AppError, rateLimited } from '#platform/errors.ts'
import { addressGroup, addressSite } from '#platform/http/limits/client-address.ts'
import { tokenHash } from '#platform/tokens/token.ts'
import { addFailure, type BackoffRule, backoffMs } from '../domain/sign-in-backoff.ts'
import { HasherBusyError, type HashLane } from '../passwords/password-hasher.ts'
import type { FailuresStore } from '../storage/failures-store.ts'
import { Newcomers } from './newcomers.ts'
import { type Rank, WaitingRoom } from './waiting-room.ts'

const MINUTE_MS = 60_000

/** For an address that tries the passwords of many names. Several people may share the address. */
const ADDRESS_RULE = { free: 10, firstPauseMs: 1000, maxPauseMs: 15 * MINUTE_MS, forgetAfterMs: 60 * MINUTE_MS }
/** For a /48 of IPv6, which one subscriber may have whole: 65,536 addresses as counted above. */
const SITE_RULE = { ...ADDRESS_RULE, free: 40 }
/** For many addresses that try the passwords of one name. Short, because it also slows new browsers of its operator. */
const NAME_RULE = { free: 5, firstPauseMs: 1000, maxPauseMs: MINUTE_MS, forgetAfterMs: 15 * MINUTE_MS }
/** For a known browser or a session. Nobody else is slowed, so that the pause may be long. */
const LANE_RULE = { free: 5, firstPauseMs: 1000, maxPauseMs: 15 * MINUTE_MS, forgetAfterMs: 60 * MINUTE_MS }

/**
 * Attempts that are counted and checked at the same time, of those that are no newcomers. Further ones are refused at
 * once: counting each attempt of a flood would keep the database from everyone else.
 */
const MAX_STRANGERS_AT_ONCE = 32

/**
 * Newcomers wait by their rank before they are counted, because in the first seconds of a flood all are newcomers. Two
 * at once keep the hashing busy. A person rather waits than tries again, but no longer than some seconds.
 */
const NEWCOMERS = { atOnce: 2, waiting: 24, maxWaitMs: 10_000 }

/** Age at which stored failures no longer matter. */
export const FORGET_AFTER_MS = ADDRESS_RULE.forgetAfterMs

/** Approximate number of callers that are remembered, trimmed once in so many attempts. */
const MAX_CALLERS = 20_000
const ATTEMPTS_PER_TRIM = 1_000

/** Statuses of a wrong guess. Any other failure says nothing about the secret. */
const WRONG_GUESSES = new Set([401, 403, 410])

/** An address, a name or a lane, as a hash: people type passwords where names belong. */
type Caller = { callerSha256: string; rule: BackoffRule }

/**
 * The source of an attempt: an address, with the name if the attempt is one by password, or a lane of its own,
 * which the failures of others do not slow.
 */
type AttemptSource = { address: string; nameKey?: string } | { lane: string }

export type SignInThrottle = {
  /**
   * Runs an attempt to sign in. It counts as a failure from its start, so that of a thousand at once only the first few
   * get through. The failure is taken back when the attempt succeeds, or fails for a reason other than a wrong
   * guess. An attempt that is refused because too many hashes wait remains a failure of its address, though not of
   * the name. `make` gets the lane in which a password of this source is to be hashed. Throws what the attempt throws.
   * @throws rateLimited with `Retry-After` while the source has to wait.
   */
  attempt<Result>(source: AttemptSource, make: (lane: HashLane) => Promise<Result>): Promise<Result>
}

/** Slows guessing down, by address, name and lane. A name counts whether or not an operator has it. */
export function createSignInThrottle(failures: FailuresStore, now: () => number): SignInThrottle {
  const newcomers = new Newcomers(now)
  const room = new WaitingRoom(NEWCOMERS)
  let strangersAtOnce = 0
  let attempts = 0

  /** Counts the attempt. Starts over with the new count if another attempt of the same caller was counted meanwhile. */
  async function begin(callers: readonly Caller[]): Promise<void> {
    for (;;) {
      const nowMs = now()
      const known = await Promise.all(callers.map(({ callerSha256 }) => failures.find(callerSha256)))
      const pauseMs = Math.max(...callers.map(({ rule }, i) => backoffMs(rule, known[i], nowMs)))
      if (pauseMs > 0) throw tooManyFailures(pauseMs)
      const next = callers.map(({ callerSha256, rule }, i) => ({
        callerSha256,
        known: known[i],
        next: addFailure(rule, known[i], nowMs),
      }))
      if (await failures.count(next)) break
    }
    if (++attempts % ATTEMPTS_PER_TRIM === 0) await failures.removeExcess(MAX_CALLERS)
  }

  async function forgive(callers: readonly Caller[]): Promise<void> {
    if (callers.length > 0) await failures.forgive(callers.map(({ callerSha256 }) => callerSha256))
  }

  async function runCounted<Result>(source: AttemptSource, make: () => Promise<Result>): Promise<Result> {
    const { places, secrets } = callersOf(source)
    await begin([...places, ...secrets])
    try {
      const result = await make()
      for (const { callerSha256 } of secrets) await failures.clear(callerSha256)
      await forgive(places)
      return result
    } catch (error) {
      if (!isWrongGuess(error)) await forgive(error instanceof HasherBusyError ? secrets : [...places, ...secrets])
      throw error
    }
  }

  async function runNewcomer<Result>(rank: Rank, run: () => Promise<Result>): Promise<Result> {
    if (!(await room.enter(rank))) throw new HasherBusyError()
    try {
      return await run()
    } finally {
      room.leave()
    }
  }

  async function runStranger<Result>(run: () => Promise<Result>): Promise<Result> {
    if (strangersAtOnce >= MAX_STRANGERS_AT_ONCE) throw new HasherBusyError()
    strangersAtOnce++
    try {
      return await run()
    } finally {
      strangersAtOnce--
    }
  }

  return {
    async attempt(source, make) {
      if ('lane' in source) return await runCounted(source, () => make('known'))
      const rank = newcomers.admit(source.address)
      const result =
        rank === undefined
          ? await runStranger(() => runCounted(source, () => make('strangers')))
          : await runNewcomer(rank, () => runCounted(source, () => make('newcomers')))
      newcomers.forgive(source.address)
      return result
    },
  }
}

/** Returns the callers of an attempt: the places from which it comes, and the secrets that it may be guessing. */
function callersOf(source: AttemptSource): { places: Caller[]; secrets: Caller[] } {
  if ('lane' in source) return { places: [], secrets: [caller(source.lane, LANE_RULE)] }
  const { address, nameKey } = source
  const site = addressSite(address)
  return {
    places: [
      caller(`address ${addressGroup(address)}`, ADDRESS_RULE),
      ...(site === undefined ? [] : [caller(`site ${site}`, SITE_RULE)]),
    ],
    secrets: nameKey === undefined ? [] : [caller(`name ${nameKey}`, NAME_RULE)],
  }
}

function caller(text: string, rule: BackoffRule): Caller {
  return { callerSha256: tokenHash(text), rule }
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
