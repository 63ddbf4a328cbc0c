import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import Type from 'typebox'
import { runIdempotent } from '../../database/idempotency.ts'
import type { HttpServer } from '../../http/http-server.ts'
import { idempotencyKeyOf } from '../../http/idempotency/idempotency-key.ts'
import type { Keys } from '../../security/secret.ts'
import { openToken, sealToken } from '../../tokens/token.ts'
import { webhookJson } from '../schemas/webhook-json.ts'
import type { Webhook, WebhookCreate } from '../schemas/webhook-schemas.ts'
import { newSigningSecret } from '../sending/signature.ts'
import { createEndpointsStore } from '../storage/endpoints-store.ts'
import type { WebhookEndpointRow, WebhookTables } from '../storage/webhook-tables.ts'
import { ownerDeleted, webhookNotFound, webhooksQuotaReached } from './webhook-errors.ts'
import type { WebhookRouteDeps, WebhookScope } from './webhook-scope.ts'

/** Endpoints of an event or workspace. Each change is written once for each of them. */
const MAX_ENDPOINTS = 20

/** POST /webhooks */
export function createWebhook(app: HttpServer, scope: WebhookScope, deps: WebhookRouteDeps) {
  const { db, lockOwner, endpoints, schemas, sealingKeys, now } = deps
  app.post(
    scope.path,
    {
      config: { operator: { role: 'editor', effect: 'exports' } },
      schema: {
        operationId: scope.operationId('createWebhook'),
        summary: 'Create a webhook',
        description: `Messages about later changes are sent to its URL, signed with the \`secret\` of this answer (Standard Webhooks). There can be
${MAX_ENDPOINTS} webhooks.`,
        ...scope.schema,
        params: Type.Object(scope.ownerParams),
        body: schemas.WebhookCreate,
        idempotent: true,
        problems: [...scope.problems, ownerDeleted, webhooksQuotaReached],
        response: { 201: schemas.WebhookWithSecret },
      },
    },
    async (request, reply) => {
      const ownerId = await scope.ownerOf(request)
      const key = idempotencyKeyOf(request, ownerId, 'createWebhook')
      // The secret is in no remembered answer. A repetition reads it from where it is sealed.
      const answer = await runIdempotent(db, key, now(), async (transaction) => {
        const row = newEndpoint(ownerId, request.body, sealingKeys, now())
        // Counted under a lock: of two requests for the last place, one gets it.
        if (!(await lockOwner(transaction, ownerId))) throw ownerDeleted()
        if (!(await createEndpointsStore(transaction as unknown as Kysely<WebhookTables>).create(row, MAX_ENDPOINTS)))
          throw webhooksQuotaReached()
        return { status: 201, body: webhookJson(row, now()), subjectId: row.id }
      })
      const webhook = answer.body as Webhook
      const stored = await endpoints.find(ownerId, webhook.id)
      if (stored === undefined) throw webhookNotFound()
      if (answer.replayed) reply.header('idempotency-replayed', 'true')
      return reply.code(201).send({ ...webhook, secret: openToken(stored.secret, sealingKeys)! })
    },
  )
}

function newEndpoint(ownerId: string, body: WebhookCreate, sealingKeys: Keys, nowMs: number): WebhookEndpointRow {
  const isEnabled = body.enabled ?? true
  return {
    id: randomUUID(),
    owner_id: ownerId,
    url: body.url,
    types: body.types == null ? null : JSON.stringify(body.types),
    is_enabled: isEnabled ? 1 : 0,
    disabled_at: isEnabled ? null : nowMs,
    disabled_reason: null,
    secret: sealToken(newSigningSecret(), sealingKeys),
    former_secret: null,
    former_until: null,
    created_at: nowMs,
    updated_at: nowMs,
  }
}
