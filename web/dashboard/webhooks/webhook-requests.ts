import { queryOptions } from '@tanstack/react-query'
import {
  operatorListPublicationWebhookDeliveriesOptions,
  operatorListPublicationWebhooksOptions,
  operatorListWebhookDeliveriesOptions,
  operatorListWebhooksOptions,
} from '../generated/@tanstack/react-query.gen.ts'
import {
  operatorCreatePublicationWebhook,
  operatorCreateWebhook,
  operatorDeletePublicationWebhook,
  operatorDeleteWebhook,
  operatorRedeliverPublicationWebhook,
  operatorRedeliverWebhook,
  operatorRotatePublicationWebhookSecret,
  operatorRotateWebhookSecret,
  operatorTestPublicationWebhook,
  operatorTestWebhook,
  operatorUpdatePublicationWebhook,
  operatorUpdateWebhook,
} from '../generated/sdk.gen.ts'
import type { Webhook as EventWebhook } from '../generated/types.gen.ts'

/** The event or workspace that webhooks belong to. */
export type WebhookOwner = { kind: 'event' | 'workspace'; id: string }

/** A webhook of either kind of owner; they differ in the types of messages alone. */
export type Webhook = Omit<EventWebhook, 'types'> & { types: string[] | null }
/** A webhook just created, with the secret that is shown once. */
export type WebhookWithSecret = Webhook & { secret: string }

/** Interval at which an open log looks for news, as deliveries take seconds. */
const LOG_EVERY_MS = 2_000

/** Requests about the webhooks of each kind of owner, and the types of messages that they can choose from. */
export const webhookRequests = {
  event: {
    types: ['track.created', 'track.finished', 'track.reopened', 'track.deleted'],
    create: operatorCreateWebhook,
    update: operatorUpdateWebhook,
    delete: operatorDeleteWebhook,
    test: operatorTestWebhook,
    exchangeSecret: operatorRotateWebhookSecret,
    redeliver: operatorRedeliverWebhook,
  },
  workspace: {
    types: ['publication.ready', 'publication.failed', 'publication.unpublished', 'publication.deleted'],
    create: operatorCreatePublicationWebhook,
    update: operatorUpdatePublicationWebhook,
    delete: operatorDeletePublicationWebhook,
    test: operatorTestPublicationWebhook,
    exchangeSecret: operatorRotatePublicationWebhookSecret,
    redeliver: operatorRedeliverPublicationWebhook,
  },
} as const

/** The webhooks of an event or workspace. */
export function webhooksQuery({ kind, id }: WebhookOwner) {
  const options = { path: { id } }
  return (
    kind === 'event' ? operatorListWebhooksOptions(options) : operatorListPublicationWebhooksOptions(options)
  ) as ReturnType<typeof operatorListWebhooksOptions>
}

/** The newest deliveries of a webhook. */
export function deliveriesQuery({ kind, id }: WebhookOwner, webhookId: string) {
  const options = { path: { id, webhookId }, query: { limit: 50 } }
  return queryOptions({
    ...((kind === 'event'
      ? operatorListWebhookDeliveriesOptions(options)
      : operatorListPublicationWebhookDeliveriesOptions(options)) as ReturnType<
      typeof operatorListWebhookDeliveriesOptions
    >),
    refetchInterval: LOG_EVERY_MS,
  })
}
