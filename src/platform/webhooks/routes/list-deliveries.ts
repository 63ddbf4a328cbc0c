import { createCursorCodec, isCursorText, pageOf } from '../../cursor/list-cursor.ts'
import type { HttpServer } from '../../http/http-server.ts'
import { deliveryJson } from '../schemas/webhook-json.ts'
import { WebhookDeliveriesQuery, WebhookDeliveryList } from '../schemas/webhook-schemas.ts'
import type { DeliveryCursor } from '../storage/deliveries-store.ts'
import { requireWebhook } from './require-webhook.ts'
import { webhookNotFound } from './webhook-errors.ts'
import { webhookParams } from './webhook-params.ts'
import type { WebhookRouteDeps, WebhookScope } from './webhook-scope.ts'

type Deps = Pick<WebhookRouteDeps, 'endpoints' | 'deliveries'>

const DEFAULT_LIMIT = 100

const codec = createCursorCodec<DeliveryCursor>(
  'deliveries',
  ({ createdAtMs, id }) => Number.isSafeInteger(createdAtMs) && isCursorText(id),
)

/** GET /webhooks/:webhookId/deliveries */
export function listDeliveries(app: HttpServer, scope: WebhookScope, deps: Deps) {
  app.get(
    `${scope.path}/:webhookId/deliveries`,
    {
      config: { operator: { role: 'editor', effect: 'reads' } },
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
