import { randomUUID } from 'node:crypto'
import { rateLimited } from '../basics/errors.ts'
import { createCursorCodec, isCursorText, pageOf } from '../basics/list-cursor.ts'
import { isUuid } from '../basics/text.ts'
import type { HttpServer } from '../http/http-server.ts'
import type { DeliveriesStore, DeliveryCursor } from './deliveries-store.ts'
import { WebhookDeliveriesQuery, WebhookDelivery, WebhookDeliveryList } from './schemas.ts'
import type { WebhookDeliveryRow, WebhookEndpointRow } from './tables.ts'
import {
  deliveryForgotten,
  deliveryJson,
  deliveryNotFound,
  deliveryParams,
  requireWebhook,
  type WebhookRouteDeps,
  type WebhookScope,
  webhookIsDisabled,
  webhookJson,
  webhookNotFound,
  webhookParams,
} from './webhook-scope.ts'

const DEFAULT_LIMIT = 100

const codec = createCursorCodec<DeliveryCursor>(
  'deliveries',
  ({ createdAtMs, id }) => Number.isSafeInteger(createdAtMs) && isCursorText(id),
)

/** GET /webhooks/:webhookId/deliveries */
export function listDeliveries(app: HttpServer, scope: WebhookScope, deps: WebhookRouteDeps) {
  app.get(
    `${scope.path}/:webhookId/deliveries`,
    {
      schema: {
        operationId: scope.operationId('listWebhookDeliveries'),
        summary: "List a webhook's deliveries",
        description: 'The log of a webhook, newest first. Deliveries are kept for 14 days.',
        ...scope.schema,
        params: webhookParams(scope),
        querystring: WebhookDeliveriesQuery,
        problems: [...scope.problems, webhookNotFound],
        response: { 200: WebhookDeliveryList },
      },
    },
    async (request) => {
      const { id } = await requireWebhook(scope, deps, request)
      const { status, limit = DEFAULT_LIMIT, cursor } = request.query
      const after = cursor === undefined ? undefined : codec.decode(cursor)
      const found = await deps.deliveries.list(id, status, after, limit + 1)
      const { rows, nextCursor } = pageOf(found, limit, codec, (row) => ({ createdAtMs: row.created_at, id: row.id }))
      return { deliveries: rows.map(deliveryJson), next_cursor: nextCursor }
    },
  )
}

/** POST /webhooks/:webhookId/test */
export function testWebhook(app: HttpServer, scope: WebhookScope, deps: WebhookRouteDeps) {
  const { deliveries, limitRequests, wake, now } = deps
  app.post(
    `${scope.path}/:webhookId/test`,
    {
      schema: {
        operationId: scope.operationId('testWebhook'),
        summary: 'Test a webhook',
        description:
          'Sends a message of the type `webhook.test`, whatever types the webhook has chosen. Its outcome is in the log a moment later.',
        ...scope.schema,
        params: webhookParams(scope),
        problems: [...scope.problems, webhookNotFound, webhookIsDisabled, rateLimited],
        response: { 202: WebhookDelivery },
      },
    },
    async (request, reply) => {
      const endpoint = await requireWebhook(scope, deps, request)
      if (endpoint.is_enabled === 0) throw webhookIsDisabled()
      limitRequests(endpoint.owner_id)
      const delivery = testDelivery(endpoint, now())
      await deliveries.add(delivery)
      wake()
      return reply.code(202).send(deliveryJson(delivery))
    },
  )
}

function testDelivery(endpoint: WebhookEndpointRow, nowMs: number): WebhookDeliveryRow {
  return {
    endpoint_id: endpoint.id,
    id: randomUUID(),
    owner_id: endpoint.owner_id,
    subject_id: null,
    type: 'webhook.test',
    created_at: nowMs,
    payload: JSON.stringify(webhookJson(endpoint, nowMs)),
    is_draft: 0,
    is_forgotten: 0,
    status: 'pending',
    attempts: 0,
    due_at: nowMs,
    lease_owner: null,
    last_attempt_at: null,
    duration_ms: null,
    response_status: null,
    response_body: null,
    error: null,
  }
}

/** POST /webhooks/:webhookId/deliveries/:deliveryId/redeliver */
export function redeliver(app: HttpServer, scope: WebhookScope, deps: WebhookRouteDeps) {
  const { deliveries, limitRequests, wake, now } = deps
  app.post(
    `${scope.path}/:webhookId/deliveries/:deliveryId/redeliver`,
    {
      schema: {
        operationId: scope.operationId('redeliverWebhook'),
        summary: 'Send a message again',
        description:
          'Sends the same body under the same `webhook-id`, with the time and signature of now, and tries again like the first time if that fails.',
        ...scope.schema,
        params: deliveryParams(scope),
        problems: [
          ...scope.problems,
          webhookNotFound,
          deliveryNotFound,
          webhookIsDisabled,
          deliveryForgotten,
          rateLimited,
        ],
        response: { 202: WebhookDelivery },
      },
    },
    async (request, reply) => {
      const endpoint = await requireWebhook(scope, deps, request)
      const { deliveryId } = request.params
      const find = async () => requireContent(deliveries, endpoint, deliveryId)
      await find()
      if (endpoint.is_enabled === 0) throw webhookIsDisabled()
      limitRequests(endpoint.owner_id)
      await deliveries.redeliver(endpoint.id, deliveryId, now())
      const delivery = await find()
      wake()
      return reply.code(202).send(deliveryJson(delivery))
    },
  )
}

/** Returns a delivery that can be sent again. @throws deliveryNotFound, deliveryForgotten */
async function requireContent(
  deliveries: DeliveriesStore,
  endpoint: WebhookEndpointRow,
  id: string,
): Promise<WebhookDeliveryRow> {
  const delivery = isUuid(id) ? await deliveries.find(endpoint.id, id) : undefined
  if (delivery === undefined) throw deliveryNotFound()
  if (delivery.payload === null) throw deliveryForgotten()
  return delivery
}
