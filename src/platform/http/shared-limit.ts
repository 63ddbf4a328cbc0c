/** Length of a tick, by which instances count attempts and announce claims. */
export const TICK_MS = 250
/** Ticks over which attempts are counted. */
const TICKS = 4
/** Time after which a claim ends that is not announced again: its instance died or was cut off. */
const CLAIM_LIFETIME_MS = 2500
const ANNOUNCE_AGAIN_AFTER_MS = 1000
/** Change of a claim that is worth an announcement, as a share of the limit. */
const WORTH_ANNOUNCING = 0.05
/** Share of the limit by which holdings may grow before the next claim is heard. */
const HEADROOM = 0.1
/** Callers beyond it get the even part. Each costs some hundred bytes and a part of a notice. */
const MAX_CALLERS = 10_000
/** Time for the others to give up a share after an announcement reached this instance, before it is used here. */
const SETTLE_MS = 40

/** The instances among which limits are divided, as the exchange of announcements knows them. */
export type Instances = {
  /** This instance. */
  readonly self: string
  /** All, in the same order everywhere. */
  readonly all: readonly string[]
  /** Tells whether announcements arrive at the moment. */
  isLive(): boolean
  /** Has announcements sent now rather than at the next tick. */
  announceSoon(): void
}

/** Announcement of a claim of this instance on a caller's allowance. */
export type Announcement = { caller: string } & Claim

type Entry = {
  isClaimed: boolean
  /** Own claim as the others know it: undefined until its announcement has come back. */
  own: Claim | undefined
  announced: Claim
  announcedAtMs: number
  others: Map<string, Claim & { untilMs: number }>
  held: number
  /** Attempts of the current tick and of earlier ones. */
  attempts: number[]
  ticks: number
  granted: number
  /** Larger share that may be used from `settledAtMs` on. */
  pending: number
  settledAtMs: number
}

const NOTHING: Claim = { held: 0, wanted: 0 }

/**
 * Divides a limit for each caller among the instances. Without claims, each may use the same part, without a notice to
 * the others. An instance that gets near it claims as much as its caller asks for, and borrows unused parts of the
 * others. A claim is announced before it is used, and ends by itself, so that the sum hardly ever exceeds the limit.
 */
export class SharedLimit {
  readonly #limit: number
  readonly #instances: Instances
  readonly #nowMs: () => number
  readonly #entries = new Map<string, Entry>()

  constructor(limit: number, instances: Instances, nowMs: () => number) {
    this.#limit = limit
    this.#instances = instances
    this.#nowMs = nowMs
  }

  /** Returns how much of its limit a caller may use here, of which it uses `used`. Counts an attempt to use more. */
  allowance(caller: string, used: number, isAttempt = true): number {
    const { all } = this.#instances
    if (all.length <= 1) return this.#limit
    const even = Math.floor(this.#limit / all.length)
    let entry = this.#entries.get(caller)
    if (entry === undefined) {
      if (used * 2 < even || !isAttempt || this.#entries.size >= MAX_CALLERS) return even
      entry = this.#addEntry(caller, even)
    }
    if (!this.#instances.isLive()) return even
    if (isAttempt) entry.attempts[0]++
    if (entry.pending > entry.granted && this.#nowMs() >= entry.settledAtMs) entry.granted = entry.pending
    if (isAttempt && !entry.isClaimed && used * 2 >= entry.granted) {
      entry.isClaimed = true
      entry.ticks = 0
      entry.attempts.length = 1
      this.#instances.announceSoon()
    }
    return entry.granted
  }

  /** Notes how much a caller holds until it gives it back, such as open connections. */
  hold(caller: string, held: number): void {
    const entry = this.#entries.get(caller)
    if (entry !== undefined) entry.held = held
  }

  /** Tells whether a refusal may be wrong because the first claim for a caller has not been heard by all yet. */
  isSettling(caller: string): boolean {
    const entry = this.#entries.get(caller)
    if (entry === undefined || !entry.isClaimed || !this.#instances.isLive()) return false
    return entry.own === undefined || (entry.pending > entry.granted && this.#nowMs() < entry.settledAtMs)
  }

  /** Returns the claims to announce; `ofAll` for an instance that has not heard the earlier ones. */
  announcements(ofAll: boolean): Announcement[] {
    const nowMs = this.#nowMs()
    const found: Announcement[] = []
    for (const [caller, entry] of this.#entries) {
      if (!entry.isClaimed) continue
      const claim = this.#claimOf(entry)
      if (!ofAll && nowMs - entry.announcedAtMs < ANNOUNCE_AGAIN_AFTER_MS && !this.#isNews(entry.announced, claim))
        continue
      entry.announced = claim
      entry.announcedAtMs = nowMs
      // An announcement of nothing returns the share.
      if (claim.wanted === 0) entry.isClaimed = false
      found.push({ caller, ...claim })
    }
    return found
  }

  /** Takes note of a claim that has reached all instances, this one included. */
  heard(instance: string, { caller, held, wanted }: Announcement): void {
    const entry =
      this.#entries.get(caller) ?? this.#addEntry(caller, Math.floor(this.#limit / this.#instances.all.length))
    if (instance === this.#instances.self) entry.own = wanted === 0 ? undefined : { held, wanted }
    else if (wanted === 0) entry.others.delete(instance)
    else entry.others.set(instance, { held, wanted, untilMs: this.#nowMs() + CLAIM_LIFETIME_MS })
    this.#divide(entry)
  }

  /** Moves on by a tick: forgets claims that were not announced again, and callers that nobody claims. */
  tick(): void {
    const nowMs = this.#nowMs()
    for (const [caller, entry] of this.#entries) {
      entry.attempts.unshift(0)
      entry.attempts.length = Math.min(entry.attempts.length, TICKS + 1)
      entry.ticks++
      for (const [instance, { untilMs }] of entry.others) if (untilMs <= nowMs) entry.others.delete(instance)
      if (!entry.isClaimed && entry.others.size === 0) this.#entries.delete(caller)
      else this.#divide(entry)
    }
  }

  #addEntry(caller: string, granted: number): Entry {
    const entry: Entry = {
      isClaimed: false,
      own: undefined,
      announced: NOTHING,
      announcedAtMs: Number.NEGATIVE_INFINITY,
      others: new Map(),
      held: 0,
      attempts: [0],
      ticks: 0,
      granted,
      pending: granted,
      settledAtMs: 0,
    }
    this.#entries.set(caller, entry)
    return entry
  }

  /**
   * Claims the attempts of a second, and everything until a whole tick has been
   * counted: the caller may have just begun.
   */
  #claimOf({ attempts, ticks, held }: Entry): Claim {
    if (ticks <= 1) return { held, wanted: this.#limit }
    const counted = attempts.slice(1, ticks)
    const perSecond = (counted.reduce((sum, count) => sum + count, 0) * TICKS) / counted.length
    const headroom = held > 0 ? this.#limit * HEADROOM : 0
    return { held, wanted: Math.min(this.#limit, Math.ceil(held + Math.max(perSecond, headroom))) }
  }

  #isNews(before: Claim, { held, wanted }: Claim): boolean {
    const least = Math.max(1, this.#limit * WORTH_ANNOUNCING)
    return wanted === 0 || Math.abs(before.wanted - wanted) >= least || Math.abs(before.held - held) >= least
  }

  #divide(entry: Entry): void {
    const { self, all } = this.#instances
    const claims = all.map((instance) => (instance === self ? entry.own : entry.others.get(instance)) ?? NOTHING)
    const share = apportion(this.#limit, claims)[all.indexOf(self)] ?? 0
    if (share > entry.granted && entry.pending <= entry.granted) entry.settledAtMs = this.#nowMs() + SETTLE_MS
    entry.granted = Math.min(entry.granted, share)
    entry.pending = share
  }
}

/** Claim of an instance on a caller's limit: the part that it holds and cannot give back, and all that it could use. */
export type Claim = { held: number; wanted: number }

/**
 * Divides a limit among instances, in whole numbers whose sum is the limit. Each keeps its holdings. The free part goes
 * to instances that ask for more, to each the same until it has enough, and the rest to all alike, so that nobody has
 * to ask for a little. Instances that know the same claims in the same order come to the same result without agreeing
 * on it.
 */
export function apportion(limit: number, claims: readonly Claim[]): number[] {
  const held = claims.reduce((sum, claim) => sum + claim.held, 0)
  const wants = claims.map((claim) => Math.max(0, claim.wanted - claim.held))
  const level = fillLevel(Math.max(0, limit - held), wants)
  const given = claims.map((claim, at) => claim.held + Math.min(wants[at], level))
  const rest = Math.max(0, limit - given.reduce((sum, share) => sum + share, 0))
  return wholeShares(given.map((share) => share + rest / claims.length))
}

/**
 * Returns how much each may get at most so that all together get `amount`; modest ones leave the rest to the others.
 */
function fillLevel(amount: number, wants: readonly number[]): number {
  let left = amount
  const rising = wants.toSorted((a, b) => a - b)
  for (const [at, want] of rising.entries()) {
    const level = left / (rising.length - at)
    if (want >= level) return level
    left -= want
  }
  return Number.POSITIVE_INFINITY
}

/** Rounds shares so that their sum stays, by the largest remainder; the first of equals gets the unit. */
function wholeShares(shares: readonly number[]): number[] {
  const whole = shares.map((share) => Math.floor(share + 1e-9))
  const sum = Math.round(shares.reduce((total, share) => total + share, 0))
  const missing = sum - whole.reduce((total, share) => total + share, 0)
  const order = shares.map((_, at) => at).sort((a, b) => shares[b] - whole[b] - (shares[a] - whole[a]) || a - b)
  for (const at of order.slice(0, missing)) whole[at]++
  return whole
}
