import type { HttpServer } from '../../http/http-server.ts'
import { sealToken } from '../../tokens/token.ts'
import { keepMilliseconds } from '../schemas/keep-duration.ts'
import { webhookJson } from '../schemas/webhook-json.ts'
import { WebhookSecretExchange } from '../schemas/webhook-schemas.ts'
import { newSigningSecret } from '../sending/signature.ts'
import { requireWebhook } from './require-webhook.ts'
import { webhookNotFound } from './webhook-errors.ts'
import { webhookParams } from './webhook-params.ts'
import type { WebhookRouteDeps, WebhookScope } from './webhook-scope.ts'

type Deps = Pick<WebhookRouteDeps, 'endpoints' | 'schemas' | 'sealingKeys' | 'now'>

/** POST /webhooks/:webhookId/secret */
export function exchangeSecret(app: HttpServer, scope: WebhookScope, deps: Deps) {
  const { endpoints, schemas, sealingKeys, now } = deps
  app.post(
    `${scope.path}/:webhookId/secret`,
    {
      config: { operator: { role: 'editor', effect: 'exports' } },
      schema: {
        operationId: scope.operationId('rotateWebhookSecret'),
        summary: "Exchange a webhook's secret",
        description:
          'Returns a new secret. For the time `keep`, messages have two signatures, one with each secret, so that receivers can change over.',
        ...scope.schema,
        params: webhookParams(scope),
        body: WebhookSecretExchange,
        problems: [...scope.problems, webhookNotFound],
        response: { 200: schemas.WebhookWithSecret },
      },
      // A request without a body keeps nothing, like one with an empty object.
      preValidation: async (request) => {
        if (request.body === undefined) (request as { body: WebhookSecretExchange }).body = {}
      },
    },
    async (request) => {
      const { id, owner_id } = await requireWebhook(scope, deps, request)
      const secret = newSigningSecret()
      const formerUntilMs = now() + keepMilliseconds(request.body.keep)
      const sealed = sealToken(secret, sealingKeys)
      const changed = await endpoints.exchangeSecret(owner_id, id, sealed, formerUntilMs, now())
      if (changed === undefined) throw webhookNotFound()
      return { ...webhookJson(changed, now()), secret }
    },
  )
}
