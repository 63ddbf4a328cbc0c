import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

/** Up to the time within which a receiver has to answer. */
const BUCKETS_SEC = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15]

export type WebhookMetrics = {
  attempted(result: 'delivered' | 'retried' | 'failed', durationMs: number): void
}

/**
 * Creates the metrics of a service's webhooks; `countPending` is called when metrics are collected.
 * @param prefix begins their names: `tracks`
 */
export function createWebhookMetrics(
  registry: Registry,
  prefix: string,
  countPending: () => Promise<number>,
): WebhookMetrics {
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
    attempted(result, durationMs) {
      attempts.inc({ result })
      durations.observe(durationMs / 1000)
    },
  }
}
