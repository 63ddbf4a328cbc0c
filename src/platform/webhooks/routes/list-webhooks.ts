import Type from 'typebox'
import type { HttpServer } from '../../http/http-server.ts'
import { webhookJson } from '../schemas/webhook-json.ts'
import type { WebhookRouteDeps, WebhookScope } from './webhook-scope.ts'

type Deps = Pick<WebhookRouteDeps, 'endpoints' | 'schemas' | 'now'>

/** GET /webhooks */
export function listWebhooks(app: HttpServer, scope: WebhookScope, { endpoints, schemas, now }: Deps) {
  app.get(
    scope.path,
    {
      config: { operator: { role: 'editor', effect: 'reads' } },
      schema: {
        operationId: scope.operationId('listWebhooks'),
        summary: 'List webhooks',
        description: 'Returns all webhooks in the order in which they were created, without their secrets.',
        ...scope.schema,
        params: Type.Object(scope.ownerParams),
        problems: scope.problems,
        response: { 200: schemas.WebhookList },
      },
    },
    async (request) => {
      const rows = await endpoints.list(await scope.ownerOf(request))
      return { webhooks: rows.map((row) => webhookJson(row, now())) }
    },
  )
}
