import type { FastifyRequest } from 'fastify'
import { isUuid } from '../../ids/uuid.ts'
import type { EndpointsStore } from '../storage/endpoints-store.ts'
import type { WebhookEndpointRow } from '../storage/webhook-tables.ts'
import { webhookNotFound } from './webhook-errors.ts'
import type { WebhookScope } from './webhook-scope.ts'

/** Returns the endpoint that a request names, of its own event or workspace. @throws webhookNotFound */
export async function requireWebhook(
  { ownerOf }: Pick<WebhookScope, 'ownerOf'>,
  { endpoints }: { endpoints: Pick<EndpointsStore, 'find'> },
  request: FastifyRequest<{ Params: { webhookId: string } }>,
): Promise<WebhookEndpointRow> {
  const ownerId = await ownerOf(request)
  const { webhookId } = request.params
  const found = isUuid(webhookId) ? await endpoints.find(ownerId, webhookId) : undefined
  if (found === undefined) throw webhookNotFound()
  return found
}
