import type { Kysely } from 'kysely'
import type { Registry } from 'prom-client'
import type { Logger } from '#platform/logger.ts'
import type { Secrets } from '#platform/security/secret.ts'
import { createWebhooks, type WebhookOptions, type Webhooks } from '#platform/webhooks/create-webhooks.ts'
import { PUBLICATION_EVENTS } from '../domain/publication-event.ts'
import type { PublicationsTables } from '../storage/tables.ts'
import { lockWorkspace } from '../storage/workspaces-store.ts'

type Options = {
  webhooks: WebhookOptions
  secrets: Secrets
  registry: Registry
  logger: Logger
  now: () => number
}

/** Builds the webhooks of workspaces. */
export function createPublicationWebhooks(options: Options, db: Kysely<PublicationsTables>): Webhooks {
  const { webhooks, secrets, registry, logger, now } = options
  const names = { types: PUBLICATION_EVENTS, titlePrefix: 'Publication', metricsPrefix: 'publications' }
  return createWebhooks({ ...webhooks, ...names, db, lockOwner: lockWorkspace, secrets, registry, logger, now })
}
