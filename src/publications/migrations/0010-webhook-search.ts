import type { Kysely } from 'kysely'
import { indexDueByEndpoint } from '#platform/webhooks/storage/webhook-tables.ts'

/** Keeps the search for due deliveries fast beside webhooks that do not answer. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await indexDueByEndpoint(db)
}
