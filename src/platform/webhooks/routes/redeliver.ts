import { rateLimited } from '../../errors.ts'
import type { HttpServer } from '../../http/http-server.ts'
import { isUuid } from '../../ids/uuid.ts'
import { deliveryJson } from '../schemas/webhook-json.ts'
import { WebhookDelivery } from '../schemas/webhook-schemas.ts'
import type { WebhookDeliveryRow, WebhookEndpointRow } from '../storage/webhook-tables.ts'
import { requireWebhook } from './require-webhook.ts'
import { deliveryForgotten, deliveryNotFound, webhookIsDisabled, webhookNotFound } from './webhook-errors.ts'
import { deliveryParams } from './webhook-params.ts'
import type { WebhookRouteDeps, WebhookScope } from './webhook-scope.ts'

type Deps = Pick<WebhookRouteDeps, 'endpoints' | 'deliveries' | 'limitRequests' | 'wake' | 'now'>

/** POST /webhooks/:webhookId/deliveries/:deliveryId/redeliver */
export function redeliver(app: HttpServer, scope: WebhookScope, deps: Deps) {
  const { deliveries, limitRequests, wake, now } = deps
  app.post(
    `${scope.path}/:webhookId/deliveries/:deliveryId/redeliver`,
    {
      config: { operator: { role: 'editor', effect: 'changes' } },
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
  deliveries: Deps['deliveries'],
  endpoint: WebhookEndpointRow,
  id: string,
): Promise<WebhookDeliveryRow> {
  const delivery = isUuid(id) ? await deliveries.find(endpoint.id, id) : undefined
  if (delivery === undefined) throw deliveryNotFound()
  if (delivery.payload === null) throw deliveryForgotten()
  return delivery
}
