import { queryOptions } from '@tanstack/react-query'
import type {
  Webhook,
  WebhookDelivery,
  WebhookDeliveryList,
  WebhookList,
  WebhookUpdate,
  WebhookWithSecret,
} from '../../../src/platform/webhooks/schemas/webhook-schemas.ts'
import { apiPaths, withQuery } from './api-paths.ts'
import { queryKeys } from './query-keys.ts'
import { request } from './request.ts'

export type { Webhook, WebhookDelivery, WebhookWithSecret }

/** The event or workspace that webhooks belong to. */
export type WebhookOwner = { kind: 'event' | 'workspace'; id: string }

/** Types of messages that the webhooks of an owner can choose from. */
export const MESSAGE_TYPES = {
  event: ['track.created', 'track.finished', 'track.deleted'],
  workspace: ['publication.ready', 'publication.failed', 'publication.unpublished', 'publication.deleted'],
} as const

/** Interval at which an open log looks for news, as deliveries take seconds. */
const LOG_EVERY_MS = 2_000

/** The webhooks of an event or workspace. */
export function webhooksQuery(owner: WebhookOwner) {
  return queryOptions({
    queryKey: queryKeys.webhooks(owner.id),
    queryFn: async ({ signal }) => (await request<WebhookList>('GET', apiPaths.webhooks(owner), { signal })).webhooks,
  })
}

/** The newest deliveries of a webhook. */
export function deliveriesQuery(owner: WebhookOwner, webhookId: string) {
  return queryOptions({
    queryKey: queryKeys.deliveries(owner.id, webhookId),
    queryFn: ({ signal }) =>
      request<WebhookDeliveryList>('GET', withQuery(apiPaths.deliveries(owner, webhookId), { limit: 50 }), { signal }),
    refetchInterval: LOG_EVERY_MS,
  })
}

/** Creates a webhook. Its secret is in the answer, and nowhere else. */
export function createWebhook(
  owner: WebhookOwner,
  webhook: { url: string; types: string[] | null },
): Promise<WebhookWithSecret> {
  return request('POST', apiPaths.webhooks(owner), { body: webhook })
}

export function updateWebhook(owner: WebhookOwner, id: string, change: WebhookUpdate): Promise<Webhook> {
  return request('PATCH', apiPaths.webhook(owner, id), { body: change })
}

export function deleteWebhook(owner: WebhookOwner, id: string): Promise<void> {
  return request('DELETE', apiPaths.webhook(owner, id))
}

/** Has a test message sent. */
export function testWebhook(owner: WebhookOwner, id: string): Promise<WebhookDelivery> {
  return request('POST', `${apiPaths.webhook(owner, id)}/test`)
}

/** Exchanges the secret. The former one signs as well for a time in seconds. */
export function exchangeSecret(owner: WebhookOwner, id: string, keepSec: number): Promise<WebhookWithSecret> {
  return request('POST', `${apiPaths.webhook(owner, id)}/secret`, { body: { keep: `${keepSec}s` } })
}

/** Sends a message again. */
export function redeliver(owner: WebhookOwner, webhookId: string, deliveryId: string): Promise<WebhookDelivery> {
  return request('POST', `${apiPaths.deliveries(owner, webhookId)}/${encodeURIComponent(deliveryId)}/redeliver`)
}
