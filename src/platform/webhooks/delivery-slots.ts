import { LRUCache } from 'lru-cache'
import type { Busy } from './deliveries-store.ts'

/** Time within which most receivers answer. Slower ones give way to the others. */
const PROMPT_WITHIN_MS = 2_000

/** Attempts at endpoints that answer promptly, or are not known yet: of all owners and of each. */
const MAX_PROMPT = 64
const MAX_PROMPT_OF_OWNER = 16
/** Attempts at endpoints that do not: of all owners and of each. */
const MAX_SLOW = 32
const MAX_SLOW_OF_OWNER = 8
/** Attempts at one endpoint; at one that did not answer, or was not asked yet, a single one. */
const MAX_OF_ENDPOINT = 4

/** Endpoints whose last answer is remembered. One that is forgotten starts over. */
const MAX_REMEMBERED = 1_000

/** The last that was heard of an endpoint: an answer, sooner or later, or silence. */
type Heard = 'prompt' | 'slow' | 'silent'

/** An endpoint and its event or workspace. */
type SlotHolder = { endpoint_id: string; owner_id: string }

/** An attempt in progress. */
export type DeliverySlot = SlotHolder & { readonly startMs: number; readonly isSlow: boolean }

/**
 * Divides the attempts in progress among endpoints and owners, so that receivers which do not answer hold up nobody
 * else. An endpoint that did not answer has one slot until it answers. Attempts at it, and at endpoints that answer
 * late, have places of their own, and any other attempt moves there when it takes long: nobody keeps a place that is
 * meant for prompt receivers. So the number of attempts in progress has no limit of its own, but as many can start as
 * fit into the time for an answer.
 */
export class DeliverySlots {
  readonly #nowMs: () => number
  readonly #running = new Set<DeliverySlot>()
  readonly #heard = new LRUCache<string, { heard: Heard; ownerId: string }>({ max: MAX_REMEMBERED })

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs
  }

  /** The number of attempts that can start now. */
  get room(): number {
    return Math.max(0, MAX_PROMPT - this.#count().prompt.total)
  }

  /** Takes a slot; undefined if there is none for this endpoint now. */
  take({ endpoint_id, owner_id }: SlotHolder): DeliverySlot | undefined {
    const count = this.#count()
    if (!this.#hasRoomFor(count, endpoint_id, owner_id)) return undefined
    const slot = { endpoint_id, owner_id, startMs: this.#nowMs(), isSlow: this.#isSlow(count, endpoint_id) }
    this.#running.add(slot)
    return slot
  }

  /**
   * Gives a slot back.
   * @param answeredAfterMs Infinity without an answer, undefined without a request
   */
  release(slot: DeliverySlot, answeredAfterMs: number | undefined): void {
    this.#running.delete(slot)
    if (answeredAfterMs === undefined) return
    const late = answeredAfterMs === Number.POSITIVE_INFINITY ? 'silent' : 'slow'
    const heard = answeredAfterMs < PROMPT_WITHIN_MS ? 'prompt' : late
    this.#heard.set(slot.endpoint_id, { heard, ownerId: slot.owner_id })
  }

  /** Returns the endpoints and owners for which `take` finds no slot. */
  busy(): Busy {
    const count = this.#count()
    const known = new Map([...this.#heard].map(([id, { ownerId }]) => [id, ownerId]))
    for (const { endpoint_id, owner_id } of this.#running) known.set(endpoint_id, owner_id)
    return {
      endpointIds: [...known].filter(([id, ownerId]) => !this.#hasRoomFor(count, id, ownerId)).map(([id]) => id),
      ownerIds: [...count.prompt.byOwner].filter(([, taken]) => taken >= MAX_PROMPT_OF_OWNER).map(([id]) => id),
    }
  }

  #hasRoomFor(count: Counts, endpointId: string, ownerId: string): boolean {
    const { heard } = this.#heard.peek(endpointId) ?? {}
    const most = heard === 'prompt' || heard === 'slow' ? MAX_OF_ENDPOINT : 1
    if ((count.byEndpoint.get(endpointId) ?? 0) >= most) return false
    const isSlow = this.#isSlow(count, endpointId)
    const { total, byOwner } = isSlow ? count.slow : count.prompt
    const ofOwner = byOwner.get(ownerId) ?? 0
    return total < (isSlow ? MAX_SLOW : MAX_PROMPT) && ofOwner < (isSlow ? MAX_SLOW_OF_OWNER : MAX_PROMPT_OF_OWNER)
  }

  /** An endpoint is slow by its last answer, and while an attempt at it takes long. */
  #isSlow({ late }: Counts, endpointId: string): boolean {
    const { heard = 'prompt' } = this.#heard.peek(endpointId) ?? {}
    return heard !== 'prompt' || late.has(endpointId)
  }

  #count(): Counts {
    const count: Counts = { byEndpoint: new Map(), late: new Set(), prompt: noneTaken(), slow: noneTaken() }
    const lateBefore = this.#nowMs() - PROMPT_WITHIN_MS
    for (const slot of this.#running) {
      const isLate = slot.startMs <= lateBefore
      if (isLate) count.late.add(slot.endpoint_id)
      const places = slot.isSlow || isLate ? count.slow : count.prompt
      places.total++
      places.byOwner.set(slot.owner_id, (places.byOwner.get(slot.owner_id) ?? 0) + 1)
      count.byEndpoint.set(slot.endpoint_id, (count.byEndpoint.get(slot.endpoint_id) ?? 0) + 1)
    }
    return count
  }
}

type Places = { total: number; byOwner: Map<string, number> }
/** Attempts in progress; `late` are the endpoints of slow ones. */
type Counts = { byEndpoint: Map<string, number>; late: Set<string>; prompt: Places; slow: Places }

function noneTaken(): Places {
  return { total: 0, byOwner: new Map() }
}
