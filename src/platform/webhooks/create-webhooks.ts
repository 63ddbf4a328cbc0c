import type { Kysely } from 'kysely'
import type { Registry } from 'prom-client'
import type { IdempotencyTables } from '../database/idempotency.ts'
import type { Logger } from '../logger.ts'
import { deriveKeys, type Secrets } from '../security/secret.ts'
import { limitRequests } from './routes/request-limit.ts'
import type { LockOwner, WebhookRouteDeps } from './routes/webhook-scope.ts'
import { webhookSchemas } from './schemas/webhook-schemas.ts'
import { createAddressPolicy } from './sending/address-policy.ts'
import type { DeliverDeps } from './sending/deliver.ts'
import { DeliveryQueue } from './sending/delivery-queue.ts'
import { endpointUrlProblem } from './sending/endpoint-url.ts'
import { createResolveName, type ResolveName } from './sending/resolve-name.ts'
import { createSendRequest } from './sending/send-request.ts'
import { createWebhookMetrics } from './sending/webhook-metrics.ts'
import { createDeliveriesStore } from './storage/deliveries-store.ts'
import { createEndpointsStore } from './storage/endpoints-store.ts'
import { createWebhookOutbox, type WebhookOutbox } from './storage/outbox.ts'
import { WEBHOOK_SECRETS } from './storage/sealed-secrets.ts'
import type { WebhookTables } from './storage/webhook-tables.ts'

/** Time for which the log keeps deliveries. */
const DELIVERIES_KEPT_MS = 14 * 86_400_000

/** The webhooks of a service. */
export type Webhooks = {
  outbox: WebhookOutbox
  routeDeps: WebhookRouteDeps
  /** Starts to send. Drafts are completed by the service, which may need what is built later. */
  start(completeDraft: DeliverDeps['completeDraft']): void
  /** Removes deliveries that are older than the log keeps them. */
  removeExpired(): Promise<void>
  close(): Promise<void>
}

/** Options that the webhooks of all services share. */
export type WebhookOptions = {
  /** Networks beside the Internet that deliveries may go to. */
  allowedNetworks: readonly string[]
  /** Resolves host names; replaced in tests. */
  resolveName?: ResolveName | undefined
}

type Options<Tables extends IdempotencyTables & WebhookTables> = WebhookOptions & {
  db: Kysely<Tables>
  lockOwner: LockOwner<Tables>
  secrets: Secrets
  /** Types of messages, without `webhook.test`. */
  types: readonly string[]
  /** Begins the titles of schemas, which are unique in the API description. */
  titlePrefix: string
  /** Begins the names of metrics. */
  metricsPrefix: string
  registry: Registry
  logger: Logger
  now: () => number
}

/** Builds the webhooks of a service on the tables in its database. */
export function createWebhooks<Tables extends IdempotencyTables & WebhookTables>(options: Options<Tables>): Webhooks {
  const { secrets, types, titlePrefix, metricsPrefix, allowedNetworks, registry, logger, now } = options
  const db = options.db as unknown as Kysely<IdempotencyTables & WebhookTables>
  const own = db as unknown as Kysely<WebhookTables>
  const endpoints = createEndpointsStore(own)
  const deliveries = createDeliveriesStore(own)
  const sealingKeys = deriveKeys(secrets, WEBHOOK_SECRETS)
  const policy = createAddressPolicy(allowedNetworks)
  const metrics = createWebhookMetrics(registry, metricsPrefix, () => deliveries.countPending())
  const resolve = options.resolveName ?? createResolveName()
  const sendRequest = createSendRequest({ policy, resolve })
  let queue: DeliveryQueue | undefined
  const wake = () => queue?.wakeSoon()

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
    },
    start(completeDraft) {
      const sending = { endpoints, deliveries, sendRequest, completeDraft, sealingKeys, logger }
      queue = new DeliveryQueue({ ...sending, metrics, now })
      queue.start()
    },
    removeExpired: () => deliveries.removeBefore(now() - DELIVERIES_KEPT_MS),
    async close() {
      await queue?.close()
    },
  }
}
