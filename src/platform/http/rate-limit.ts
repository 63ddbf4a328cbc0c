import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import { rateLimited } from '../basics/errors.ts'
import type { SharedLimit } from './shared-limit.ts'

/** Usual length of the window. */
const WINDOW_MS = 1000
/** Slots of a window. A request counts for at least the window and at most one slot longer. */
const SLOTS_OF_WINDOW = 50
/** Slots that one window can touch, including the partial one at its start, so that no window exceeds the limit. */
const SLOTS = SLOTS_OF_WINDOW + 1
/** Time for the first division of a caller's limit: two trips to the database, and a little. */
const SETTLES_WITHIN_MS = 500
const SETTLE_CHECK_MS = 10
/** Interval at which idle callers are removed. */
const SWEEP_MS = 5000

/** State of one caller, sent as the `RateLimit-*` headers. */
type RateLimitState = { limit: number; remaining: number; resetSec: number; allowed: boolean }

type RateLimitOptions = {
  /** Time in which the limit applies. */
  windowMs?: number
  nowMs?: () => number
  /** Undefined where only this process serves the callers. */
  shared?: SharedLimit | undefined
}

type Window = { counts: Uint32Array; total: number; newestSlot: number }

/**
 * Allows each caller at most `limit` requests in any second, or other window, by a sliding window. Fixed windows, as
 * common libraries use them, let twice the limit through around their edges. Takes a few hundred bytes for each caller,
 * independent of the limit. Counts within this process; of several instances, each allows its share of the limit.
 */
export class RateLimit {
  readonly #limit: number
  readonly #slotMs: number
  readonly #nowMs: () => number
  readonly #shared: SharedLimit | undefined
  readonly #windows = new Map<string, Window>()
  #sweptAtMs: number

  constructor(limit: number, options: RateLimitOptions = {}) {
    const { windowMs = WINDOW_MS, nowMs = () => performance.now(), shared } = options
    this.#limit = limit
    this.#slotMs = windowMs / SLOTS_OF_WINDOW
    this.#shared = shared
    this.#nowMs = nowMs
    this.#sweptAtMs = nowMs()
  }

  /** Counts a request of `caller` if it is allowed, and returns the state. Refused requests are not counted. */
  take(caller: string): RateLimitState {
    return this.#look(caller, true)
  }

  /** Returns the state without counting a request. */
  peek(caller: string): RateLimitState {
    return this.#look(caller, false)
  }

  /** Resolves once the instances have divided the limit; undefined if they have, so that a refusal is final. */
  settled(caller: string): Promise<void> | undefined {
    return this.#shared?.isSettling(caller) === true ? this.#settle(caller) : undefined
  }

  async #settle(caller: string): Promise<void> {
    const endMs = this.#nowMs() + SETTLES_WITHIN_MS
    while (this.#shared?.isSettling(caller) === true && this.#nowMs() < endMs) await wait(SETTLE_CHECK_MS)
  }

  #look(caller: string, count: boolean): RateLimitState {
    const nowMs = this.#nowMs()
    this.#sweep(nowMs)
    const slot = Math.floor(nowMs / this.#slotMs)
    const window = this.#windowOf(caller, slot)
    const limit = this.#shared?.allowance(caller, window.total, count) ?? this.#limit
    const allowed = window.total < limit
    if (allowed && count) {
      window.counts[slot % SLOTS]++
      window.total++
    }
    // The usual window is a slot longer than a second. Rounded up to 2, a client would wait twice as long as needed.
    const resetSec = Math.max(1, Math.round(((oldestSlot(window, slot) + SLOTS) * this.#slotMs - nowMs) / 1000))
    return { limit: this.#limit, remaining: Math.max(0, limit - window.total), resetSec, allowed }
  }

  #windowOf(caller: string, slot: number): Window {
    const known = this.#windows.get(caller)
    if (known !== undefined) {
      forget(known, slot)
      return known
    }
    const fresh = { counts: new Uint32Array(SLOTS), total: 0, newestSlot: slot }
    this.#windows.set(caller, fresh)
    return fresh
  }

  #sweep(nowMs: number): void {
    if (nowMs - this.#sweptAtMs < SWEEP_MS) return
    this.#sweptAtMs = nowMs
    const slot = Math.floor(nowMs / this.#slotMs)
    for (const [caller, window] of this.#windows) {
      if (slot - window.newestSlot >= SLOTS) this.#windows.delete(caller)
    }
  }
}

/** Drops the counts that have left the window. */
function forget(window: Window, slot: number): void {
  const passed = Math.min(slot - window.newestSlot, SLOTS)
  for (let step = 1; step <= passed; step++) {
    const index = (window.newestSlot + step) % SLOTS
    window.total -= window.counts[index]
    window.counts[index] = 0
  }
  window.newestSlot = Math.max(slot, window.newestSlot)
}

function oldestSlot(window: Window, slot: number): number {
  for (let age = SLOTS - 1; age > 0; age--) {
    if (slot >= age && window.counts[(slot - age) % SLOTS] > 0) return slot - age
  }
  return slot
}

/**
 * Counts a request of a caller and writes the `RateLimit-*` headers. Returns a promise only where a limit is being
 * divided among instances for the first time, so that a refusal may be wrong.
 * @throws rateLimited with `Retry-After` if the limit is reached
 */
export function countRequest(reply: FastifyReply, limit: RateLimit, caller: string): Promise<void> | undefined {
  const state = limit.take(caller)
  const settled = state.allowed ? undefined : limit.settled(caller)
  if (settled === undefined) {
    applyRateLimit(reply, state)
    return undefined
  }
  return settled.then(() => applyRateLimit(reply, limit.take(caller)))
}

/**
 * Writes the `RateLimit-*` headers.
 * @throws rateLimited with `Retry-After` if the limit is reached
 */
export function applyRateLimit(reply: FastifyReply, state: RateLimitState): void {
  reply.raw.setHeader('ratelimit-limit', state.limit)
  reply.raw.setHeader('ratelimit-remaining', state.remaining)
  reply.raw.setHeader('ratelimit-reset', state.resetSec)
  if (state.allowed) return
  throw rateLimited({
    detail: `More than ${state.limit} requests in one second; try again in ${state.resetSec} s.`,
    retryAfterSec: state.resetSec,
  })
}
