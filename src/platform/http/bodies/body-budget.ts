import type { FastifyRequest } from 'fastify'
import { rateLimited, unavailable } from '../../errors.ts'
import { requestToken } from '../../tokens/request-token.ts'
import { addressGroup } from '../limits/client-address.ts'

/**
 * Bytes of a body that never count. A batch of some minutes, a sign-in and every other form are smaller, so they are
 * accepted when large bodies have used up all memory. What they hold is bounded by the limit of connections.
 */
export const SMALL_BODY_BYTES = 65_536

/** Parts of a budget that one client address and one token may hold. The phones of an event share its token. */
const ADDRESS_SHARE = 1 / 4
const TOKEN_SHARE = 1 / 2

/** Large bodies arrive within seconds on usual connections. */
const RETRY_LATER = { 'retry-after': '5' }

/** Those on whose account the memory of a body is held. */
type BodyOwner = { address: string; token: string | undefined }

/**
 * Limits the memory of the large bodies that a service is receiving, in total, for each client address and each token.
 */
export class BodyBudget {
  readonly #limitBytes: number
  readonly #usedBy = new Map<string, number>()
  #usedBytes = 0

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes
  }

  /** Bytes held by all bodies. */
  get usedBytes(): number {
    return this.#usedBytes
  }

  /** Opens the account of one large body, which holds nothing yet. */
  open({ ip, headers }: FastifyRequest): BodyMemory {
    const token = requestToken(headers)
    return new BodyMemory(this, {
      address: `address ${addressGroup(ip)}`,
      token: token === undefined ? undefined : `token ${token}`,
    })
  }

  /** @throws rateLimited if the owner has its share; unavailable if the budget is used up */
  take(bytes: number, { address, token }: BodyOwner): void {
    if (this.#heldBy(address) + bytes > this.#limitBytes * ADDRESS_SHARE) throw shareIsUsedUp('from this address')
    if (this.#heldBy(token) + bytes > this.#limitBytes * TOKEN_SHARE) throw shareIsUsedUp('with this token')
    if (this.#usedBytes + bytes > this.#limitBytes) {
      throw unavailable({
        detail: 'Too many large bodies are being received at once. Try again in a few seconds.',
        headers: RETRY_LATER,
      })
    }
    this.#add(bytes, address, token)
  }

  release(bytes: number, { address, token }: BodyOwner): void {
    this.#add(-bytes, address, token)
  }

  #heldBy(owner: string | undefined): number {
    return owner === undefined ? 0 : (this.#usedBy.get(owner) ?? 0)
  }

  #add(bytes: number, ...owners: (string | undefined)[]): void {
    this.#usedBytes += bytes
    for (const owner of owners) {
      if (owner === undefined) continue
      const held = this.#heldBy(owner) + bytes
      if (held === 0) this.#usedBy.delete(owner)
      else this.#usedBy.set(owner, held)
    }
  }
}

/** The memory that one body holds of its budget, from its opening until its release. */
export class BodyMemory {
  readonly #budget: BodyBudget
  readonly #owner: BodyOwner
  #bytes = 0

  constructor(budget: BodyBudget, owner: BodyOwner) {
    this.#budget = budget
    this.#owner = owner
  }

  /** Reserves what the body needs beyond what it holds. @throws rateLimited, unavailable */
  growTo(bytes: number): void {
    this.#budget.take(bytes - this.#bytes, this.#owner)
    this.#bytes = bytes
  }

  release(): void {
    this.#budget.release(this.#bytes, this.#owner)
    this.#bytes = 0
  }
}

function shareIsUsedUp(whose: string) {
  return rateLimited({
    detail: `Too many large bodies are being received ${whose} at once. Try again in a few seconds.`,
    headers: RETRY_LATER,
  })
}
