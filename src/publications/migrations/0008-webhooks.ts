import type { Kysely } from 'kysely'
import { createWebhookTables } from '#platform/webhooks/storage/webhook-tables.ts'

/** Adds webhooks and their deliveries. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createWebhookTables(db)
}
