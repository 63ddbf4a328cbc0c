import type { Kysely } from 'kysely'
import { bytesType } from '../database/migrate.ts'

/** An endpoint: a URL that messages about an owner's things are sent to. Times are milliseconds since 1970. */
export type WebhookEndpointRow = {
  id: string
  /** The event or workspace. */
  owner_id: string
  url: string
  /** JSON of the types of its messages; null for all. */
  types: string | null
  is_enabled: number
  /** Time since which it is disabled, and `gone` if its own answer was the reason. */
  disabled_at: number | null
  disabled_reason: 'gone' | null
  /** The signing secret, sealed. */
  secret: Uint8Array
  /** The secret before it, which signs as well until `former_until`. */
  former_secret: Uint8Array | null
  former_until: number | null
  created_at: number
  updated_at: number
}

export type DeliveryStatus = 'pending' | 'delivered' | 'failed'

/** A message to an endpoint. */
export type WebhookDeliveryRow = {
  endpoint_id: string
  /** Id of the message, the same for all endpoints. */
  id: string
  owner_id: string
  /** The thing that the message is about. */
  subject_id: string | null
  type: string
  /** Time of the change, which is the message's `timestamp`. */
  created_at: number
  /** JSON of `data`, or the draft of it; null if its subject was deleted after the delivery had ended. */
  payload: string | null
  /** 1 until the service has completed the payload. */
  is_draft: number
  /** 1 if the payload is to be removed as soon as the delivery ends. */
  is_forgotten: number
  status: DeliveryStatus
  attempts: number
  /** Time of the next attempt, or end of the lease of the attempt in progress; null if none is due. */
  due_at: number | null
  lease_owner: string | null
  last_attempt_at: number | null
  duration_ms: number | null
  response_status: number | null
  response_body: string | null
  error: string | null
}

/** The tables of a service with webhooks, in its own database so that a change and its messages are one write. */
export type WebhookTables = { webhook_endpoints: WebhookEndpointRow; webhook_deliveries: WebhookDeliveryRow }

/**
 * The places of the tables in a distributed database. Both are on one machine, so that every instance finds
 * due deliveries with one query of an index.
 */
export const webhookLayout = { webhook_endpoints: 'coordinator', webhook_deliveries: 'coordinator' } as const

/** Creates the tables, for a service's migrations. */
export async function createWebhookTables(db: Kysely<unknown>): Promise<void> {
  await createEndpoints(db)
  await createDeliveries(db)
}

async function createEndpoints(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('webhook_endpoints')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('owner_id', 'text', (column) => column.notNull())
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('types', 'text')
    .addColumn('is_enabled', 'integer', (column) => column.notNull())
    .addColumn('disabled_at', 'bigint')
    .addColumn('disabled_reason', 'text')
    .addColumn('secret', bytesType(db), (column) => column.notNull())
    .addColumn('former_secret', bytesType(db))
    .addColumn('former_until', 'bigint')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('webhook_endpoints_by_owner').on('webhook_endpoints').column('owner_id').execute()
}

async function createDeliveries(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('webhook_deliveries')
    .addColumn('endpoint_id', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('owner_id', 'text', (column) => column.notNull())
    .addColumn('subject_id', 'text')
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('payload', 'text')
    .addColumn('is_draft', 'integer', (column) => column.notNull())
    .addColumn('is_forgotten', 'integer', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('due_at', 'bigint')
    .addColumn('lease_owner', 'text')
    .addColumn('last_attempt_at', 'bigint')
    .addColumn('duration_ms', 'bigint')
    .addColumn('response_status', 'integer')
    .addColumn('response_body', 'text')
    .addColumn('error', 'text')
    .addPrimaryKeyConstraint('webhook_deliveries_pk', ['endpoint_id', 'id'])
    .execute()
  // Ended deliveries, which are most, are not in this index. A search reads the first due one of each endpoint, so it
  // takes no longer for the many that wait for an endpoint which does not answer.
  await db.schema
    .createIndex('webhook_deliveries_due_by_endpoint')
    .on('webhook_deliveries')
    .columns(['endpoint_id', 'due_at'])
    .where('due_at', 'is not', null)
    .execute()
  for (const [name, columns] of [
    ['webhook_deliveries_log', ['endpoint_id', 'created_at', 'id']],
    ['webhook_deliveries_by_subject', ['owner_id', 'subject_id']],
    ['webhook_deliveries_by_age', ['created_at']],
  ] as const) {
    await db.schema
      .createIndex(name)
      .on('webhook_deliveries')
      .columns([...columns])
      .execute()
  }
}
