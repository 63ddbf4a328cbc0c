import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { inSpan, rootContext } from '../../tracing/spans.ts'
import type { DeliveriesStore, DueDelivery } from '../storage/deliveries-store.ts'
import type { WebhookDeliveryRow } from '../storage/webhook-tables.ts'
import { type Attempted, type DeliverDeps, deliver } from './deliver.ts'
import { type DeliverySlot, DeliverySlots } from './delivery-slots.ts'
import { ANSWER_WITHIN_MS } from './send-request.ts'
import type { WebhookMetrics } from './webhook-metrics.ts'

/** Longer than an attempt with its queries takes. After a crash, other instances wait this long. */
const LEASE_MS = 2 * ANSWER_WITHIN_MS
/** Interval of searches for due deliveries: retries, and messages of other instances. */
const SEARCH_EVERY_MS = 1_000
/** A message is found as soon as its transaction has ended, which takes a moment longer than writing it. */
const WAKE_AFTER_MS = 50
/** Pause after a failure of this program or its database, which does not count as an attempt. */
const PAUSE_AFTER_FAILURE_MS = 5_000
/** Time for attempts in progress when closing. */
const CLOSE_WITHIN_MS = 2_000

type Deps = DeliverDeps & {
  deliveries: Pick<DeliveriesStore, 'listDue' | 'claim' | 'release'>
  metrics: Pick<WebhookMetrics, 'attempted'>
}

/**
 * Sends what is due. Rows are the only list of deliveries: each attempt is made under a lease by one instance, and
 * after a crash at any point the lease expires and another instance attempts it again.
 */
export class DeliveryQueue {
  readonly #deps: Deps
  readonly #leaseOwner = randomUUID()
  readonly #slots = new DeliverySlots()
  readonly #running = new Set<Promise<void>>()
  readonly #closing = new AbortController()
  #searching: Promise<void> | undefined
  #searchAgain = false
  #isClosed = false
  #timer: NodeJS.Timeout | undefined
  #waking: NodeJS.Timeout | undefined

  constructor(deps: Deps) {
    this.#deps = deps
  }

  start(): void {
    this.#timer = setInterval(() => this.#wake(), SEARCH_EVERY_MS).unref()
  }

  /** Looks for due deliveries in a moment, because a message has been written. */
  wakeSoon(): void {
    if (this.#isClosed) return
    this.#waking ??= setTimeout(() => this.#wake(), WAKE_AFTER_MS).unref()
  }

  /** Waits a moment for attempts in progress, then breaks off the others, which are due again at once. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    clearTimeout(this.#waking)
    await this.#searching
    const impatience = new AbortController()
    const ended = Promise.all(this.#running).finally(() => impatience.abort())
    await wait(CLOSE_WITHIN_MS, undefined, { signal: impatience.signal }).catch(() => {})
    this.#closing.abort()
    await ended
  }

  #wake(): void {
    this.#waking = undefined
    this.#searchAgain = true
    if (this.#isClosed || this.#searching !== undefined) return
    this.#searching = this.#search().finally(() => (this.#searching = undefined))
  }

  async #search(): Promise<void> {
    const { logger } = this.#deps
    try {
      while (this.#searchAgain && !this.#isClosed) {
        this.#searchAgain = false
        while (await this.#claimSome());
      }
    } catch (err) {
      if (!this.#isClosed) logger.warn({ err }, 'searching for webhook deliveries failed')
    }
  }

  /** Claims what is due and has room. @returns true if there may be more */
  async #claimSome(): Promise<boolean> {
    const { deliveries, now } = this.#deps
    const { room } = this.#slots
    if (room === 0 || this.#isClosed) return false
    const due = await deliveries.listDue(now(), this.#slots.busy(), room)
    for (const found of due) {
      const slot = this.#slots.take(found)
      if (slot === undefined) continue
      const claimed = await this.#claim(found, slot)
      if (claimed !== undefined) this.#start(claimed, slot)
    }
    return due.length > 0
  }

  async #claim(found: DueDelivery, slot: DeliverySlot): Promise<WebhookDeliveryRow | undefined> {
    const { deliveries, now } = this.#deps
    let claimed: WebhookDeliveryRow | undefined
    try {
      claimed = await deliveries.claim(found, this.#leaseOwner, now() + LEASE_MS)
      return claimed
    } finally {
      if (claimed === undefined) this.#slots.release(slot, undefined)
    }
  }

  #start(claimed: WebhookDeliveryRow, slot: DeliverySlot): void {
    const running = this.#attempt(claimed, slot).finally(() => {
      this.#running.delete(running)
      this.#wake()
    })
    this.#running.add(running)
  }

  async #attempt(claimed: WebhookDeliveryRow, slot: DeliverySlot): Promise<void> {
    const { deliveries, metrics, logger, now } = this.#deps
    const startMs = performance.now()
    let attempt: Attempted | undefined
    try {
      attempt = await inSpan('deliver webhook', { within: rootContext() }, () =>
        deliver(this.#deps, claimed, this.#closing.signal),
      )
      if (attempt !== undefined) metrics.attempted(attempt.result, performance.now() - startMs)
    } catch (err) {
      logger.warn({ err, deliveryId: claimed.id, endpointId: claimed.endpoint_id }, 'a webhook delivery failed here')
      // A lease that cannot be ended expires.
      await deliveries.release(claimed, now() + PAUSE_AFTER_FAILURE_MS).catch(() => {})
    } finally {
      this.#slots.release(slot, attempt?.answeredAfterMs)
    }
  }
}
