import type { FastifyRequest } from 'fastify'
import type { Kysely, Transaction } from 'kysely'
import type { TSchema } from 'typebox'
import type { IdempotencyTables } from '../../database/idempotency.ts'
import type { ErrorDefinition } from '../../errors.ts'
import type { Keys } from '../../security/secret.ts'
import type { WebhookSchemas } from '../schemas/webhook-schemas.ts'
import type { DeliveriesStore } from '../storage/deliveries-store.ts'
import type { EndpointsStore } from '../storage/endpoints-store.ts'
import type { WebhookTables } from '../storage/webhook-tables.ts'
import type { LimitRequests } from './request-limit.ts'

/** Addresses at which webhooks are managed: those of a token's own event, or those of any event for operators. */
export type WebhookScope = {
  /** Address of the list: `/webhooks`. */
  path: string
  /** Parameters in that address, with their schemas. */
  ownerParams: Record<string, TSchema>
  /** Returns the event or workspace of a request. Rejects if there is none. */
  ownerOf: (request: FastifyRequest) => string | Promise<string>
  /** Errors of `ownerOf`. */
  problems: readonly ErrorDefinition[]
  /** Parts that the schemas of all routes have in common. */
  schema: { tags: string[]; permission?: string }
  /** Makes the name of an operation from `createWebhook`. */
  operationId: (name: string) => string
}

/** Locks an event or workspace until the end of a transaction. Resolves to false if it is being deleted. */
export type LockOwner<Tables> = (transaction: Transaction<Tables>, ownerId: string) => Promise<boolean>

/** Parts that the routes are built from. */
export type WebhookRouteDeps = {
  db: Kysely<IdempotencyTables & WebhookTables>
  lockOwner: LockOwner<IdempotencyTables & WebhookTables>
  endpoints: EndpointsStore
  deliveries: Pick<DeliveriesStore, 'list' | 'find' | 'add' | 'redeliver'>
  schemas: WebhookSchemas
  sealingKeys: Keys
  /** Counts a test or redelivery. */
  limitRequests: LimitRequests
  /** Has due deliveries sent soon. */
  wake: () => void
  now: () => number
}
