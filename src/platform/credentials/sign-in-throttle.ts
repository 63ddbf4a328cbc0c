import { boundedCache } from '../basics/bounded-cache.ts'
import { AppError, rateLimited } from '../basics/errors.ts'
import { addressGroup, addressNetwork, addressSite } from '../http/client.ts'
import { addFailure, type BackoffRule, backoffMs, type FailuresStore } from './failures-store.ts'
import { HasherBusyError, type HashLane } from './password-hash.ts'
import { tokenHash } from './token.ts'

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
 * Attempts that are counted and checked at the same time, newcomers apart. Further ones are refused at once: counting
 * each attempt of a flood would keep the database from everyone else.
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

export type SignInThrottle = ReturnType<typeof createSignInThrottle>

/** Slows guessing down, by address, name and lane. A name counts whether or not an operator has it. */
export function createSignInThrottle(failures: FailuresStore, now: () => number) {
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
    /**
     * Runs an attempt to sign in. It counts as a failure from its start, so that of a thousand at once only the first
     * few get through. The failure is taken back when the attempt succeeds, or fails for a reason other than a wrong
     * guess. An attempt that is refused because too many hashes wait remains a failure of its address, though not of
     * the name. `make` gets the lane in which a password of this source is to be hashed.
     * @throws the errors of the attempt; rateLimited with `Retry-After` while the source has to wait
     */
    async attempt<Result>(source: AttemptSource, make: (lane: HashLane) => Promise<Result>): Promise<Result> {
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
    retryAfterSec: pauseSec,
  })
}

/** Attempts for which an address counts as new: a person who mistypes a password, or tries again after a refusal. */
const FREE_ATTEMPTS = 4
/** For a /48 of IPv6, which one subscriber may have whole. */
const FREE_ATTEMPTS_OF_SITE = 16
/** Time without an attempt. */
const NEWCOMERS_FORGET_AFTER_MS = 15 * 60_000
/** Addresses and networks that are remembered, some hundred bytes each. One that has been forgotten is new again. */
const MAX_PLACES = 40_000

/**
 * Distinguishes addresses that have hardly tried to sign in from addresses that try again and again. It counts attempts
 * whether they were refused or not, in the memory of this process, so that asking takes no time in a flood.
 */
export class Newcomers {
  readonly #now: () => number
  readonly #attempts = boundedCache<{ count: number; lastMs: number }>(MAX_PLACES)

  constructor(now: () => number) {
    this.#now = now
  }

  /**
   * Counts an attempt. Returns the rank of a new address, by its attempts and then by the attempts of its network, or
   * undefined for one that is not new. A person comes before addresses that try again, and before addresses of a
   * network from which many come for the first time.
   */
  admit(address: string): Rank | undefined {
    const ofAddress = this.#count(addressGroup(address))
    const ofNetwork = this.#count(`network ${addressNetwork(address)}`)
    const isSiteNew = addressSite(address) === undefined || ofNetwork <= FREE_ATTEMPTS_OF_SITE
    return ofAddress <= FREE_ATTEMPTS && isSiteNew ? [ofAddress, ofNetwork] : undefined
  }

  /** Forgets the attempts of an address that has signed in. */
  forgive(address: string): void {
    this.#attempts.delete(addressGroup(address))
  }

  #count(place: string): number {
    const nowMs = this.#now()
    const known = this.#attempts.get(place)
    // Either way, so that a clock that was set back keeps nobody waiting.
    const isForgotten = known === undefined || Math.abs(nowMs - known.lastMs) >= NEWCOMERS_FORGET_AFTER_MS
    const count = isForgotten ? 1 : known.count + 1
    this.#attempts.set(place, { count, lastMs: nowMs })
    return count
  }
}

/** Order in the waiting room: by the first number, the lower the sooner, then by the second. */
export type Rank = readonly [number, number]

type Place = { rank: Rank; settle(isAdmitted: boolean): void }

type Limits = { atOnce: number; waiting: number; maxWaitMs: number }

/**
 * Lets in a few at once. Others wait by their rank, and of equal rank by their arrival. If all places are taken, a
 * better rank takes the place of the worst, so that a flood cannot fill the room for everyone else.
 */
export class WaitingRoom {
  readonly #limits: Limits
  /** The best first. */
  readonly #places: Place[] = []
  #inside = 0

  constructor(limits: Limits) {
    this.#limits = limits
  }

  /** Waits for admission, after which `leave` must be called. Returns false if it is refused, or takes too long. */
  async enter(rank: Rank): Promise<boolean> {
    if (this.#inside < this.#limits.atOnce) {
      this.#inside++
      return true
    }
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const tooLong = setTimeout(() => {
      this.#places.splice(this.#places.indexOf(place), 1)
      resolve(false)
    }, this.#limits.maxWaitMs)
    const place: Place = {
      rank,
      settle(isAdmitted) {
        clearTimeout(tooLong)
        resolve(isAdmitted)
      },
    }
    const isBefore = this.#places.findIndex((other) => compare(rank, other.rank) < 0)
    this.#places.splice(isBefore === -1 ? this.#places.length : isBefore, 0, place)
    if (this.#places.length > this.#limits.waiting) this.#places.pop()!.settle(false)
    return await promise
  }

  /** Lets in the next. */
  leave(): void {
    const next = this.#places.shift()
    if (next === undefined) this.#inside--
    else next.settle(true)
  }
}

function compare(one: Rank, other: Rank): number {
  return one[0] - other[0] || one[1] - other[1]
}
