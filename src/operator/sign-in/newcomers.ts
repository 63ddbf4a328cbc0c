import { LRUCache } from 'lru-cache'
import { addressGroup, addressNetwork, addressSite } from '#platform/http/limits/client-address.ts'
import type { Rank } from './waiting-room.ts'

/** Attempts for which an address counts as new: a person who mistypes a password, or tries again after a refusal. */
const FREE_ATTEMPTS = 4
/** For a /48 of IPv6, which one subscriber may have whole. */
const FREE_ATTEMPTS_OF_SITE = 16
/** Time without an attempt. */
const FORGET_AFTER_MS = 15 * 60_000
/** Addresses and networks that are remembered, some hundred bytes each. One that has been forgotten is new again. */
const MAX_PLACES = 40_000

/**
 * Tells addresses that have hardly tried to sign in from those that try again and again. It remembers attempts whether
 * or not they were refused or counted, in the memory of this process, so that asking takes no time in a flood.
 */
export class Newcomers {
  readonly #now: () => number
  readonly #attempts = new LRUCache<string, { count: number; lastMs: number }>({ max: MAX_PLACES })

  constructor(now: () => number) {
    this.#now = now
  }

  /**
   * Counts an attempt. Returns the rank of a new address, by its attempts and then by those of its network, or
   * undefined for one that is not new. A person comes before addresses that try again, and before those of a network
   * from which many come for the first time.
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
    const isForgotten = known === undefined || Math.abs(nowMs - known.lastMs) >= FORGET_AFTER_MS
    const count = isForgotten ? 1 : known.count + 1
    this.#attempts.set(place, { count, lastMs: nowMs })
    return count
  }
}
