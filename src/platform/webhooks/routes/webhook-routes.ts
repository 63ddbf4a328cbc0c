import type { HttpServer } from '../../http/http-server.ts'
import { createWebhook } from './create-webhook.ts'
import { deleteWebhook } from './delete-webhook.ts'
import { exchangeSecret } from './exchange-secret.ts'
import { listDeliveries } from './list-deliveries.ts'
import { listWebhooks } from './list-webhooks.ts'
import { redeliver } from './redeliver.ts'
import { testWebhook } from './test-webhook.ts'
import { updateWebhook } from './update-webhook.ts'
import type { WebhookRouteDeps, WebhookScope } from './webhook-scope.ts'

/** Registers the operations on webhooks at the addresses of a scope. */
export function webhookRoutes(app: HttpServer, scope: WebhookScope, deps: WebhookRouteDeps): void {
  listWebhooks(app, scope, deps)
  createWebhook(app, scope, deps)
  updateWebhook(app, scope, deps)
  deleteWebhook(app, scope, deps)
  exchangeSecret(app, scope, deps)
  testWebhook(app, scope, deps)
  listDeliveries(app, scope, deps)
  redeliver(app, scope, deps)
}
