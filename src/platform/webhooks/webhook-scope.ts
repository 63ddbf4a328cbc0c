import type { FastifyRequest } from 'fastify'
import type { Kysely, Transaction } from 'kysely'
import Type, { type TSchema } from 'typebox'
import { defineError, type ErrorDefinition, rateLimited } from '../basics/errors.ts'
import type { Keys } from '../basics/secrets.ts'
import { isUuid } from '../basics/text.ts'
import { formatDateTime, momentOrNull } from '../basics/time.ts'
import type { OperatorRule } from '../credentials/operator-rule.ts'
import type { IdempotencyTables } from '../database/idempotency.ts'
import { RateLimit } from '../http/rate-limit.ts'
import type { DeliveriesStore, LoggedDelivery } from './deliveries-store.ts'
import type { EndpointsStore } from './endpoints-store.ts'
import type { Webhook, WebhookDelivery, WebhookSchemas } from './schemas.ts'
import type { WebhookEndpointRow, WebhookTables } from './tables.ts'

/** Addresses at which webhooks are managed: of a token's own event, or of any event for operators. */
export type WebhookScope = {
  /** Address of the list: `/webhooks`. */
  path: string
  /** Parameters in that address, with their schemas. */
  ownerParams: Record<string, TSchema>
  /** Returns the event or workspace of a request. Rejects if there is none. */
  ownerOf: (request: FastifyRequest) => string | Promise<string>
  /** Errors of `ownerOf`. */
  problems: readonly ErrorDefinition[]
  /** Parts that the schemas of all routes have in common. */
  schema: { tags: string[]; permission?: string }
  /** Makes the name of an operation from `createWebhook`. */
  operationId: (name: string) => string
}

/** Locks an event or workspace until the end of a transaction. Resolves to false if it is being deleted. */
export type LockOwner<Tables> = (transaction: Transaction<Tables>, ownerId: string) => Promise<boolean>

/** Parts that the routes are built from. */
export type WebhookRouteDeps = {
  db: Kysely<IdempotencyTables & WebhookTables>
  lockOwner: LockOwner<IdempotencyTables & WebhookTables>
  endpoints: EndpointsStore
  deliveries: DeliveriesStore
  schemas: WebhookSchemas
  sealingKeys: Keys
  /** Counts a test or redelivery. */
  limitRequests: LimitRequests
  /** Has due deliveries sent soon. */
  wake: () => void
  now: () => number
}

/** Returns the endpoint that a request names, of its own event or workspace. @throws webhookNotFound */
export async function requireWebhook(
  { ownerOf }: WebhookScope,
  { endpoints }: WebhookRouteDeps,
  request: FastifyRequest<{ Params: { webhookId: string } }>,
): Promise<WebhookEndpointRow> {
  const ownerId = await ownerOf(request)
  const { webhookId } = request.params
  const found = isUuid(webhookId) ? await endpoints.find(ownerId, webhookId) : undefined
  if (found === undefined) throw webhookNotFound()
  return found
}

/** The parameters of an address of one webhook. */
export function webhookParams({ ownerParams }: WebhookScope) {
  return Type.Unsafe<{ webhookId: string }>(Type.Object({ ...ownerParams, webhookId }))
}

/** The parameters of an address of one delivery. */
export function deliveryParams({ ownerParams }: WebhookScope) {
  return Type.Unsafe<{ webhookId: string; deliveryId: string }>(Type.Object({ ...ownerParams, webhookId, deliveryId }))
}

const webhookId = Type.String({ description: "The webhook's `id`." })
const deliveryId = Type.String({ description: "The delivery's `id`." })

/**
 * Tests and redeliveries that are accepted in a minute, on one instance. Each is a request to a stranger, and of tests
 * each is kept in the log.
 */
const MAX_IN_A_MINUTE = 30
const MINUTE_MS = 60_000

/** Counts a test or redelivery of an event or workspace. @throws rateLimited with `Retry-After` */
type LimitRequests = (ownerId: string) => void

/** Creates the limit of tests and redeliveries, which has its own count for each event or workspace. */
export function limitRequests(): LimitRequests {
  const limit = new RateLimit(MAX_IN_A_MINUTE, { windowMs: MINUTE_MS })
  return (ownerId) => {
    const { allowed, resetSec } = limit.take(ownerId)
    if (allowed) return
    throw rateLimited({
      detail: `More than ${MAX_IN_A_MINUTE} tests and redeliveries in a minute; try again in ${resetSec} s.`,
      retryAfterSec: resetSec,
    })
  }
}

export const webhookNotFound = defineError('NOT_FOUND', 404, 'Webhook not found.')
export const ownerDeleted = defineError('NOT_FOUND', 404, 'The event or workspace is being deleted.')
export const deliveryNotFound = defineError('NOT_FOUND', 404, 'Delivery not found.')
export const webhooksQuotaReached = defineError('FORBIDDEN', 403, 'The limit of webhooks has been reached.')
export const webhookIsDisabled = defineError('CONFLICT', 409, 'The webhook is disabled. Enable it first.')
export const deliveryForgotten = defineError(
  'GONE',
  410,
  'The content of this delivery was removed with what it is about.',
)

/** Represents an endpoint, without its secret. */
export function webhookJson(row: WebhookEndpointRow, nowMs: number): Webhook {
  return {
    id: row.id,
    url: row.url,
    types: row.types === null ? null : JSON.parse(row.types),
    enabled: row.is_enabled === 1,
    disabled_at: momentOrNull(row.disabled_at),
    disabled_reason: row.disabled_reason,
    former_secret_ends_at: (row.former_until ?? 0) > nowMs ? momentOrNull(row.former_until) : null,
    created_at: formatDateTime(row.created_at),
    updated_at: formatDateTime(row.updated_at),
  }
}

/** Represents a delivery in the log. */
export function deliveryJson(row: LoggedDelivery): WebhookDelivery {
  return {
    id: row.id,
    type: row.type,
    timestamp: formatDateTime(row.created_at),
    status: row.status,
    attempts: row.attempts,
    next_attempt_at: row.lease_owner === null ? momentOrNull(row.due_at) : null,
    last_attempt_at: momentOrNull(row.last_attempt_at),
    duration_ms: row.duration_ms,
    response_status: row.response_status,
    response_body: row.response_body,
    error: row.error,
  }
}

/**
 * Returns the rules of access to the webhooks of a scope.
 * @param operationId the name of an operation in the scope
 */
export function webhookAccess(operationId: (name: string) => string): Readonly<Record<string, OperatorRule>> {
  const rules: Record<string, OperatorRule> = {
    listWebhooks: { role: 'editor', effect: 'reads' },
    createWebhook: { role: 'editor', effect: 'exports' },
    updateWebhook: { role: 'editor', effect: 'exports' },
    rotateWebhookSecret: { role: 'editor', effect: 'exports' },
    deleteWebhook: { role: 'editor', effect: 'erases' },
    listWebhookDeliveries: { role: 'editor', effect: 'reads' },
    testWebhook: { role: 'editor', effect: 'changes' },
    redeliverWebhook: { role: 'editor', effect: 'changes' },
  }
  return Object.fromEntries(Object.entries(rules).map(([name, rule]) => [operationId(name), rule]))
}
