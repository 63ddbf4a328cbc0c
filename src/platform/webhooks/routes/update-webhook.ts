import type { HttpServer } from '../../http/http-server.ts'
import { webhookJson } from '../schemas/webhook-json.ts'
import type { WebhookUpdate } from '../schemas/webhook-schemas.ts'
import { requireWebhook } from './require-webhook.ts'
import { webhookNotFound } from './webhook-errors.ts'
import { webhookParams } from './webhook-params.ts'
import type { WebhookRouteDeps, WebhookScope } from './webhook-scope.ts'

type Deps = Pick<WebhookRouteDeps, 'endpoints' | 'schemas' | 'wake' | 'now'>

/** PATCH /webhooks/:webhookId */
export function updateWebhook(app: HttpServer, scope: WebhookScope, deps: Deps) {
  const { endpoints, schemas, wake, now } = deps
  app.patch(
    `${scope.path}/:webhookId`,
    {
      config: { operator: { role: 'editor', effect: 'exports' } },
      schema: {
        operationId: scope.operationId('updateWebhook'),
        summary: 'Update a webhook',
        description:
          'Absent fields stay unchanged; `types: null` chooses all. While a webhook is disabled, no messages are recorded for it, and what was not yet delivered waits.',
        ...scope.schema,
        params: webhookParams(scope),
        body: schemas.WebhookUpdate,
        problems: [...scope.problems, webhookNotFound],
        response: { 200: schemas.Webhook },
      },
      // A request without a body changes nothing, like one with an empty object.
      preValidation: async (request) => {
        if (request.body === undefined) (request as { body: WebhookUpdate }).body = {}
      },
    },
    async (request) => {
      const { id, owner_id } = await requireWebhook(scope, deps, request)
      const { url, types, enabled } = request.body
      const change = {
        url: url ?? undefined,
        types: types == null ? types : JSON.stringify(types),
        isEnabled: enabled ?? undefined,
      }
      const changed = await endpoints.change(owner_id, id, change, now())
      if (changed === undefined) throw webhookNotFound()
      wake()
      return webhookJson(changed, now())
    },
  )
}
