import type { Kysely } from 'kysely'
import type { Registry } from 'prom-client'
import type { Logger } from '../basics/logger.ts'
import { deriveKeys, type Secrets } from '../basics/secrets.ts'
import type { IdempotencyTables } from '../database/idempotency.ts'
import type { ServiceJobs } from '../jobs/jobs.ts'
import { createAddressPolicy, createResolveName, endpointUrlProblem, type ResolveName } from './address-policy.ts'
import type { DeliverDeps } from './deliver.ts'
import { createDeliveriesStore } from './deliveries-store.ts'
import { createWebhookMetrics, DeliveryQueue } from './delivery-queue.ts'
import { createEndpointsStore, WEBHOOK_SECRETS } from './endpoints-store.ts'
import { createWebhookOutbox } from './outbox.ts'
import { webhookSchemas } from './schemas.ts'
import { createSendRequest } from './send-request.ts'
import type { WebhookTables } from './tables.ts'
import { type LockOwner, limitRequests, type WebhookRouteDeps } from './webhook-scope.ts'

/** A message is found as soon as its transaction has ended, which takes a moment longer than writing it. */
const WAKE_AFTER_MS = 50
/** Time for which the log keeps deliveries. */
const DELIVERIES_KEPT_MS = 14 * 86_400_000

/** Options that the webhooks of all services share. */
export type WebhookOptions = {
  /** Networks beside the Internet that deliveries may go to. */
  allowedNetworks: readonly string[]
  /** Resolves host names; replaced in tests. */
  resolveName?: ResolveName | undefined
}

/** The parts of a service that its webhooks need. */
export type WebhookSource = {
  webhooks: WebhookOptions
  secrets: Secrets
  registry: Registry
  logger: Logger
  now: () => number
}

type Options<Tables extends IdempotencyTables & WebhookTables> = WebhookSource & {
  db: Kysely<Tables>
  lockOwner: LockOwner<Tables>
  /** Types of messages, without `webhook.test`. */
  types: readonly string[]
  /** Begins the titles of schemas, which are unique in the API description. */
  titlePrefix: string
  /** Begins the names of metrics. */
  metricsPrefix: string
}

/** Builds the webhooks of a service on the tables in its database. */
export function createWebhooks<Tables extends IdempotencyTables & WebhookTables>(options: Options<Tables>) {
  const { webhooks, secrets, types, titlePrefix, metricsPrefix, registry, logger, now } = options
  const db = options.db as unknown as Kysely<IdempotencyTables & WebhookTables>
  const own = db as unknown as Kysely<WebhookTables>
  const endpoints = createEndpointsStore(own)
  const deliveries = createDeliveriesStore(own)
  const sealingKeys = deriveKeys(secrets, WEBHOOK_SECRETS)
  const policy = createAddressPolicy(webhooks.allowedNetworks)
  const metrics = createWebhookMetrics(registry, metricsPrefix, () => deliveries.countPending())
  const resolve = webhooks.resolveName ?? createResolveName()
  const sendRequest = createSendRequest({ policy, resolve })
  let queue: DeliveryQueue | undefined
  const wake = () => queue?.wakeIn(WAKE_AFTER_MS)

  return {
    outbox: createWebhookOutbox(wake),
    routeDeps: {
      db,
      lockOwner: options.lockOwner as unknown as LockOwner<IdempotencyTables & WebhookTables>,
      endpoints,
      deliveries,
      schemas: webhookSchemas({ types, titlePrefix, urlProblem: (url) => endpointUrlProblem(url, policy) }),
      sealingKeys,
      limitRequests: limitRequests(),
      wake,
      now,
    } satisfies WebhookRouteDeps,

    /** Starts to send. The service completes drafts, which may need parts that are built later. */
    start(completeDraft: DeliverDeps['completeDraft'], jobs: ServiceJobs): void {
      const sending = { endpoints, deliveries, sendRequest, completeDraft, sealingKeys, logger }
      queue = new DeliveryQueue({ ...sending, metrics, now })
      queue.start()
      jobs.queue(`${metricsPrefix}-messages`, {
        isShared: true,
        doc: 'Webhook messages that are still to be delivered, now or at a later attempt.',
        countWaiting: () => deliveries.countPending(),
      })
    },

    /** Removes deliveries that are older than the log keeps them. */
    removeExpired: () => deliveries.removeBefore(now() - DELIVERIES_KEPT_MS),

    async close(): Promise<void> {
      await queue?.close()
    },
  }
}
