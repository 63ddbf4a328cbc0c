import { randomUUID } from 'node:crypto'
import type { Kysely, Transaction } from 'kysely'
import Type from 'typebox'
import type { Keys } from '../basics/secrets.ts'
import { openToken, sealToken } from '../credentials/token.ts'
import { forgetAnswersAbout, type IdempotencyTables, runIdempotent } from '../database/idempotency.ts'
import { inTransaction } from '../database/transaction.ts'
import { type HttpServer, noContent } from '../http/http-server.ts'
import { idempotencyKeyOf } from '../http/idempotency-key.ts'
import { newSigningSecret } from './deliver.ts'
import { listDeliveries, redeliver, testWebhook } from './delivery-routes.ts'
import { createEndpointsStore } from './endpoints-store.ts'
import {
  keepMilliseconds,
  type Webhook,
  type WebhookCreate,
  WebhookSecretExchange,
  type WebhookUpdate,
} from './schemas.ts'
import type { WebhookEndpointRow, WebhookTables } from './tables.ts'
import {
  ownerDeleted,
  requireWebhook,
  type WebhookRouteDeps,
  type WebhookScope,
  webhookJson,
  webhookNotFound,
  webhookParams,
  webhooksQuotaReached,
} from './webhook-scope.ts'

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

/** GET /webhooks */
function listWebhooks(app: HttpServer, scope: WebhookScope, { endpoints, schemas, now }: WebhookRouteDeps) {
  app.get(
    scope.path,
    {
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

/** Endpoints of an event or workspace. Each change is written once for each of them. */
const MAX_ENDPOINTS = 20

/** POST /webhooks */
function createWebhook(app: HttpServer, scope: WebhookScope, deps: WebhookRouteDeps) {
  const { db, lockOwner, endpoints, schemas, sealingKeys, now } = deps
  app.post(
    scope.path,
    {
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

/** PATCH /webhooks/:webhookId */
function updateWebhook(app: HttpServer, scope: WebhookScope, deps: WebhookRouteDeps) {
  const { endpoints, schemas, wake, now } = deps
  app.patch(
    `${scope.path}/:webhookId`,
    {
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

/** POST /webhooks/:webhookId/secret */
function exchangeSecret(app: HttpServer, scope: WebhookScope, deps: WebhookRouteDeps) {
  const { endpoints, schemas, sealingKeys, now } = deps
  app.post(
    `${scope.path}/:webhookId/secret`,
    {
      schema: {
        operationId: scope.operationId('rotateWebhookSecret'),
        summary: "Rotate a webhook's secret",
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

/** DELETE /webhooks/:webhookId */
function deleteWebhook(app: HttpServer, scope: WebhookScope, deps: WebhookRouteDeps) {
  app.delete(
    `${scope.path}/:webhookId`,
    {
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
