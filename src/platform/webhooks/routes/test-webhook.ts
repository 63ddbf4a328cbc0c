import { randomUUID } from 'node:crypto'
import { rateLimited } from '../../errors.ts'
import type { HttpServer } from '../../http/http-server.ts'
import { deliveryJson, webhookJson } from '../schemas/webhook-json.ts'
import { WebhookDelivery } from '../schemas/webhook-schemas.ts'
import type { WebhookDeliveryRow, WebhookEndpointRow } from '../storage/webhook-tables.ts'
import { requireWebhook } from './require-webhook.ts'
import { webhookIsDisabled, webhookNotFound } from './webhook-errors.ts'
import { webhookParams } from './webhook-params.ts'
import type { WebhookRouteDeps, WebhookScope } from './webhook-scope.ts'

type Deps = Pick<WebhookRouteDeps, 'endpoints' | 'deliveries' | 'limitRequests' | 'wake' | 'now'>

/** POST /webhooks/:webhookId/test */
export function testWebhook(app: HttpServer, scope: WebhookScope, deps: Deps) {
  const { deliveries, limitRequests, wake, now } = deps
  app.post(
    `${scope.path}/:webhookId/test`,
    {
      config: { operator: { role: 'editor', effect: 'changes' } },
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
