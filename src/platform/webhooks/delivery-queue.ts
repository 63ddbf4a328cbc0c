import { LRUCache } from 'lru-cache'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { LeasedQueue } from '../jobs/leased-queue.ts'
import { inSpan, rootContext } from '../tracing/spans.ts'
import { type Attempted, type DeliverDeps, deliver } from './deliver.ts'
import type { Busy, DueDelivery } from './deliveries-store.ts'
import { ANSWER_WITHIN_MS } from './send-request.ts'
import type { WebhookDeliveryRow } from './tables.ts'

/** Longer than an attempt with its queries takes. After a crash, other instances wait this long. */
const LEASE_MS = 2 * ANSWER_WITHIN_MS
/** Interval of searches for due deliveries: retries, and messages of other instances. */
const SEARCH_EVERY_MS = 1_000
/** Pause after a failure of this program or its database, which does not count as an attempt. */
const PAUSE_AFTER_FAILURE_MS = 5_000
/** Time for attempts in progress when closing. */
const CLOSE_WITHIN_MS = 2_000

type Deps = DeliverDeps & { metrics: WebhookMetrics }

/** A delivery that this instance has leased, in its slot. */
type Claimed = { delivery: WebhookDeliveryRow; slot: DeliverySlot }

/** Sends deliveries that are due; each attempt is made under a lease by one instance. */
export class DeliveryQueue extends LeasedQueue<Claimed> {
  readonly #deps: Deps
  readonly #slots = new DeliverySlots()
  readonly #closing = new AbortController()

  constructor(deps: Deps) {
    const { logger } = deps
    super({ noun: 'webhook deliveries', searchEveryMs: SEARCH_EVERY_MS, closeWithinMs: CLOSE_WITHIN_MS, logger })
    this.#deps = deps
  }

  /** Waits a moment for attempts in progress, then breaks off the others, which are due again at once. */
  override async close(): Promise<void> {
    await super.close()
    this.#closing.abort()
    await this.ended()
  }

  /** Claims due deliveries as long as there are some, and room for them. */
  protected async search(): Promise<void> {
    const { deliveries, now } = this.#deps
    for (;;) {
      const { room } = this.#slots
      if (room === 0 || this.isClosed) return
      const due = await deliveries.listDue(now(), this.#slots.busy(), room)
      if (due.length === 0) return
      for (const found of due) await this.#claim(found)
    }
  }

  async #claim(found: DueDelivery): Promise<void> {
    const { deliveries, now } = this.#deps
    const slot = this.#slots.take(found)
    if (slot === undefined) return
    let delivery: WebhookDeliveryRow | undefined
    try {
      delivery = await deliveries.claim(found, this.leaseOwner, now() + LEASE_MS)
    } finally {
      if (delivery === undefined) this.#slots.release(slot, undefined)
    }
    if (delivery !== undefined) this.take({ delivery, slot })
  }

  protected async run({ delivery, slot }: Claimed): Promise<void> {
    const { deliveries, metrics, logger, now } = this.#deps
    const startMs = performance.now()
    let attempt: Attempted | undefined
    try {
      attempt = await inSpan('deliver webhook', { within: rootContext() }, () =>
        deliver(this.#deps, delivery, this.#closing.signal),
      )
      if (attempt !== undefined) metrics.attempted(attempt.result, performance.now() - startMs)
    } catch (err) {
      logger.warn({ err, deliveryId: delivery.id, endpointId: delivery.endpoint_id }, 'a webhook delivery failed here')
      // A lease that cannot be ended expires.
      await deliveries.release(delivery, now() + PAUSE_AFTER_FAILURE_MS).catch(() => {})
    } finally {
      this.#slots.release(slot, attempt?.answeredAfterMs)
    }
  }
}

/** Up to the time within which a receiver has to answer. */
const BUCKETS_SEC = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15]

type WebhookMetrics = ReturnType<typeof createWebhookMetrics>

/**
 * Creates the metrics of a service's webhooks; `countPending` is called when metrics are collected.
 * @param prefix begins their names: `tracks`
 */
export function createWebhookMetrics(registry: Registry, prefix: string, countPending: () => Promise<number>) {
  const registers = [registry]
  const attempts = new Counter({
    name: `${prefix}_webhook_attempts_total`,
    help: 'Attempts to deliver a webhook, by result; failed ones are not tried again.',
    labelNames: ['result'],
    registers,
  })
  // Known from the start, so that a rate sees the first of them.
  for (const result of ['delivered', 'retried', 'failed']) attempts.inc({ result }, 0)
  const durations = new Histogram({
    name: `${prefix}_webhook_attempt_duration_seconds`,
    help: 'Duration of an attempt to deliver a webhook, until the answer or its absence is recorded.',
    buckets: BUCKETS_SEC,
    registers,
  })
  new Gauge({
    name: `${prefix}_webhook_deliveries_pending`,
    help: 'Webhook deliveries that are due now or later, on all instances, without those of disabled endpoints.',
    registers,
    async collect() {
      // Other metrics must be available without a database.
      this.set(await countPending().catch(() => Number.NaN))
    },
  })
  return {
    attempted(result: 'delivered' | 'retried' | 'failed', durationMs: number): void {
      attempts.inc({ result })
      durations.observe(durationMs / 1000)
    },
  }
}

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
