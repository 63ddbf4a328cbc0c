import { createHmac, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { addressGroup } from '#platform/http/limits/client-address.ts'

const HOUR_MS = 3_600_000

/**
 * New readers of an address in an hour, over all publications. A reader is an address and a user
 * agent, so that one address could invent any number; a school or an office behind one address
 * rarely has more that are new within the hour.
 */
const MAX_PER_ADDRESS = 100
/** A /48 is the most that providers assign to one subscriber (RFC 6177), and has 65,536 networks. */
const MAX_PER_SITE = 500

/** Each entry takes about 200 bytes. Readers and addresses that have been forgotten count again. */
const MAX_ENTRIES = 50_000

type Allowance = { hour: number; left: number }

/**
 * Limits the readers that one address can add to the figures. Addresses are kept hashed, in
 * memory only, with a key of this process.
 */
export class NewReaders {
  readonly #key = randomBytes(32)
  readonly #counted = new LRUCache<string, true>({ max: MAX_ENTRIES })
  readonly #allowances = new LRUCache<string, Allowance>({ max: MAX_ENTRIES })

  /** Returns true for a reader who was counted before, and for a new one if the address may add another. */
  mayCount(reader: string, address: string, nowMs: number): boolean {
    if (this.#counted.get(reader) === true) return true
    const group = addressGroup(address)
    const hour = Math.floor(nowMs / HOUR_MS)
    const allowances = [this.#allowanceOf(group, MAX_PER_ADDRESS, hour)]
    const site = siteOf(group)
    if (site !== undefined) allowances.push(this.#allowanceOf(site, MAX_PER_SITE, hour))
    if (allowances.some(({ left }) => left === 0)) return false
    for (const allowance of allowances) allowance.left--
    this.#counted.set(reader, true)
    return true
  }

  #allowanceOf(network: string, limit: number, hour: number): Allowance {
    const key = createHmac('sha256', this.#key).update(network).digest('base64url')
    const known = this.#allowances.get(key)
    if (known?.hour === hour) return known
    const fresh = { hour, left: limit }
    this.#allowances.set(key, fresh)
    return fresh
  }
}

/** Returns the /48 of a /64; undefined for an IPv4 address. */
function siteOf(group: string): string | undefined {
  return group.endsWith('::/64') ? `${group.split(':', 3).join(':')}::/48` : undefined
}
