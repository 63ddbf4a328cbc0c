import type { Kysely, Transaction } from 'kysely'
import { forgetAnswersAbout, type IdempotencyTables } from '../../database/idempotency.ts'
import { inTransaction } from '../../database/transaction.ts'
import { noContent } from '../../http/answer-schemas.ts'
import type { HttpServer } from '../../http/http-server.ts'
import { createEndpointsStore } from '../storage/endpoints-store.ts'
import type { WebhookTables } from '../storage/webhook-tables.ts'
import { requireWebhook } from './require-webhook.ts'
import { webhookNotFound } from './webhook-errors.ts'
import { webhookParams } from './webhook-params.ts'
import type { WebhookRouteDeps, WebhookScope } from './webhook-scope.ts'

type Deps = Pick<WebhookRouteDeps, 'db' | 'endpoints'>

/** DELETE /webhooks/:webhookId */
export function deleteWebhook(app: HttpServer, scope: WebhookScope, deps: Deps) {
  app.delete(
    `${scope.path}/:webhookId`,
    {
      config: { operator: { role: 'editor', effect: 'erases' } },
      schema: {
        operationId: scope.operationId('deleteWebhook'),
        summary: 'Delete a webhook',
        description: 'Deletes a webhook with its log. Nothing more is sent to it.',
        ...scope.schema,
        params: webhookParams(scope),
        problems: [...scope.problems, webhookNotFound],
        response: { 204: noContent('The webhook was deleted.') },
      },
    },
    async (request, reply) => {
      const { id, owner_id } = await requireWebhook(scope, deps, request)
      await inTransaction(deps.db, async (transaction) => {
        if (!(await createEndpointsStore(transaction as unknown as Kysely<WebhookTables>).delete(owner_id, id)))
          throw webhookNotFound()
        await forgetAnswersAbout(transaction as unknown as Transaction<IdempotencyTables>, owner_id, [id])
      })
      return reply.code(204).send()
    },
  )
}
