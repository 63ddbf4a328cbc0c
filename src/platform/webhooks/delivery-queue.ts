import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { LeasedQueue } from '../jobs/leased-queue.ts'
import { inSpan, rootContext } from '../tracing/spans.ts'
import { type Attempted, type DeliverDeps, deliver } from './deliver.ts'
import type { DueDelivery } from './deliveries-store.ts'
import { type DeliverySlot, DeliverySlots } from './delivery-slots.ts'
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
