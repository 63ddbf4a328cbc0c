import type { HttpServer } from '../../http/http-server.ts'
import { isUuid } from '../../ids/uuid.ts'
import { deliveryJson } from '../schemas/webhook-json.ts'
import { WebhookDelivery } from '../schemas/webhook-schemas.ts'
import { requireWebhook } from './require-webhook.ts'
import { deliveryForgotten, deliveryNotFound, webhookIsDisabled, webhookNotFound } from './webhook-errors.ts'
import { deliveryParams } from './webhook-params.ts'
import type { WebhookRouteDeps, WebhookScope } from './webhook-scope.ts'

type Deps = Pick<WebhookRouteDeps, 'endpoints' | 'deliveries' | 'wake' | 'now'>

/** POST /webhooks/:webhookId/deliveries/:deliveryId/redeliver */
export function redeliver(app: HttpServer, scope: WebhookScope, deps: Deps) {
  const { deliveries, wake, now } = deps
  app.post(
    `${scope.path}/:webhookId/deliveries/:deliveryId/redeliver`,
    {
      config: { operator: { role: 'editor' } },
      schema: {
        operationId: scope.operationId('redeliverWebhook'),
        summary: 'Send a message again',
        description:
          'Sends the same body under the same `webhook-id`, with the time and signature of now, and tries again like the first time if that fails.',
        ...scope.schema,
        params: deliveryParams(scope),
        problems: [...scope.problems, webhookNotFound, deliveryNotFound, webhookIsDisabled, deliveryForgotten],
        response: { 202: WebhookDelivery },
      },
    },
    async (request, reply) => {
      const endpoint = await requireWebhook(scope, deps, request)
      const { deliveryId } = request.params
      const find = async () => (isUuid(deliveryId) ? await deliveries.find(endpoint.id, deliveryId) : undefined)
      const delivery = await find()
      if (delivery === undefined) throw deliveryNotFound()
      if (endpoint.is_enabled === 0) throw webhookIsDisabled()
      if (delivery.payload === null) throw deliveryForgotten()
      await deliveries.redeliver(endpoint.id, deliveryId, now())
      wake()
      return reply.code(202).send(deliveryJson((await find()) ?? delivery))
    },
  )
}
