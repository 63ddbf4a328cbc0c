import type { Kysely } from 'kysely'
import type { Registry } from 'prom-client'
import type { Logger } from '#platform/logger.ts'
import type { Secrets } from '#platform/security/secret.ts'
import { createWebhooks, type WebhookOptions, type Webhooks } from '#platform/webhooks/create-webhooks.ts'
import { TRACK_EVENTS } from '../domain/track-event.ts'
import { lockEvent } from '../storage/app-tokens-store.ts'
import type { TracksTables } from '../storage/tables.ts'

type Options = {
  webhooks: WebhookOptions
  secrets: Secrets
  registry: Registry
  logger: Logger
  now: () => number
}

/** Builds the webhooks of events. */
export function createTrackWebhooks(options: Options, db: Kysely<TracksTables>): Webhooks {
  const { webhooks, secrets, registry, logger, now } = options
  const names = { types: TRACK_EVENTS, titlePrefix: '', metricsPrefix: 'tracks' }
  return createWebhooks({ ...webhooks, ...names, db, lockOwner: lockEvent, secrets, registry, logger, now })
}
