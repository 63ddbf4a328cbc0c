import { type Kysely, sql, type Transaction } from 'kysely'
import type { ValuesByKind } from '../credentials/audited.ts'
import type { SealedColumn } from '../credentials/sealed-columns.ts'
import { inTransaction } from '../database/transaction.ts'
import type { WebhookEndpointRow, WebhookTables } from './tables.ts'

/** Changes to an endpoint; absent members stay as they are. */
type EndpointChange = { url?: string; types?: string | null; isEnabled?: boolean }

/** Endpoints. Another owner's endpoint is treated as one that does not exist. */
export type EndpointsStore = ReturnType<typeof createEndpointsStore>

export function createEndpointsStore(db: Kysely<WebhookTables>) {
  const ofOwner = (ownerId: string) => db.selectFrom('webhook_endpoints').selectAll().where('owner_id', '=', ownerId)

  return {
    /**
     * Creates an endpoint. The caller has locked the owner, so that requests at the same time count each other's.
     * @returns false if the owner already has `maximum` endpoints
     */
    create: (endpoint: WebhookEndpointRow, maximum: number) => createEndpoint(db, endpoint, maximum),

    /** Returns the endpoints of an owner, in the order in which they were made. */
    list: async (ownerId: string) => await ofOwner(ownerId).orderBy('created_at').orderBy('id').execute(),

    find: async (ownerId: string, id: string) => await ofOwner(ownerId).where('id', '=', id).executeTakeFirst(),

    /** Finds an endpoint of any owner. */
    async findAny(id: string): Promise<WebhookEndpointRow | undefined> {
      return await db.selectFrom('webhook_endpoints').selectAll().where('id', '=', id).executeTakeFirst()
    },

    /** Returns the changed endpoint. Deliveries wait while it is disabled, and continue when it is enabled. */
    change: (ownerId: string, id: string, change: EndpointChange, nowMs: number) =>
      inTransaction(db, async (transaction) => changeEndpoint(transaction, ownerId, id, change, nowMs)),

    /** Disables an endpoint whose answer was 410. */
    async disableGone(id: string, nowMs: number): Promise<void> {
      await inTransaction(db, async (transaction) => {
        const row = await transaction
          .updateTable('webhook_endpoints')
          .set({ is_enabled: 0, disabled_at: nowMs, disabled_reason: 'gone', updated_at: nowMs })
          .where('id', '=', id)
          .where('is_enabled', '=', 1)
          .returning('id')
          .executeTakeFirst()
        if (row !== undefined) await holdDeliveries(transaction, id)
      })
    },

    /** Exchanges the secret. The one before signs as well until `formerUntilMs`. */
    async exchangeSecret(
      ownerId: string,
      id: string,
      secret: Uint8Array,
      formerUntilMs: number,
      nowMs: number,
    ): Promise<WebhookEndpointRow | undefined> {
      const isKept = formerUntilMs > nowMs
      return await db
        .updateTable('webhook_endpoints')
        .set((set) => ({
          former_secret: isKept ? set.ref('secret') : null,
          former_until: isKept ? formerUntilMs : null,
          secret,
          updated_at: nowMs,
        }))
        .where('owner_id', '=', ownerId)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst()
    },

    /** Deletes an endpoint with its deliveries. @returns false if there is none */
    async delete(ownerId: string, id: string): Promise<boolean> {
      return await inTransaction(db, async (transaction) => {
        const { numDeletedRows } = await transaction
          .deleteFrom('webhook_endpoints')
          .where('owner_id', '=', ownerId)
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
        if (numDeletedRows === 0n) return false
        await transaction.deleteFrom('webhook_deliveries').where('endpoint_id', '=', id).execute()
        return true
      })
    },
  }
}

/** Deletes the endpoints of an owner that is being deleted, with their deliveries. */
export async function deleteWebhooksOf<Tables extends WebhookTables>(
  transaction: Transaction<Tables>,
  ownerId: string,
): Promise<void> {
  const own = transaction as unknown as Kysely<WebhookTables>
  await own.deleteFrom('webhook_endpoints').where('owner_id', '=', ownerId).execute()
  await own.deleteFrom('webhook_deliveries').where('owner_id', '=', ownerId).execute()
}

async function createEndpoint(
  db: Kysely<WebhookTables>,
  endpoint: WebhookEndpointRow,
  maximum: number,
): Promise<boolean> {
  const existing = await db
    .selectFrom('webhook_endpoints')
    .select('id')
    .where('owner_id', '=', endpoint.owner_id)
    .execute()
  if (existing.length >= maximum) return false
  await db.insertInto('webhook_endpoints').values(endpoint).execute()
  return true
}

async function changeEndpoint(
  db: Kysely<WebhookTables>,
  ownerId: string,
  id: string,
  { url, types, isEnabled }: EndpointChange,
  nowMs: number,
): Promise<WebhookEndpointRow | undefined> {
  const row = await db
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) return undefined
  const switched = isEnabled !== undefined && isEnabled !== (row.is_enabled === 1)
  const next = { url: url ?? row.url, types: types === undefined ? row.types : types }
  if (!switched && next.url === row.url && next.types === row.types) return row
  const switchedTo = { is_enabled: isEnabled ? 1 : 0, disabled_at: isEnabled ? null : nowMs, disabled_reason: null }
  const changed = await db
    .updateTable('webhook_endpoints')
    .set({ ...next, ...(switched ? switchedTo : {}), updated_at: nowMs })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (switched) await (isEnabled ? resumeDeliveries(db, id, nowMs) : holdDeliveries(db, id))
  return changed
}

/** Lets the deliveries of a disabled endpoint wait. An attempt in progress is put to rest when it ends. */
async function holdDeliveries(db: Kysely<WebhookTables>, endpointId: string): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({ due_at: null })
    .where('endpoint_id', '=', endpointId)
    .where('status', '=', 'pending')
    .where('lease_owner', 'is', null)
    .execute()
}

async function resumeDeliveries(db: Kysely<WebhookTables>, endpointId: string, nowMs: number): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({ due_at: sql`coalesce(due_at, ${nowMs})` })
    .where('endpoint_id', '=', endpointId)
    .where('status', '=', 'pending')
    .execute()
}

/** Returns a function that finds the values of webhooks, for the audit log. */
export function webhookValues(db: Kysely<WebhookTables>): ValuesByKind {
  const endpoints = createEndpointsStore(db)
  return {
    async webhook(id) {
      const endpoint = await endpoints.findAny(id)
      if (endpoint === undefined) return undefined
      const { url, types, is_enabled: enabled } = endpoint
      return { url, types: types === null ? null : JSON.parse(types), enabled: enabled === 1 }
    },
  }
}

/** The purpose of the keys that seal signing secrets. */
export const WEBHOOK_SECRETS = 'webhook secrets'

/** The sealed columns of webhooks. */
export const webhookSealedColumns: readonly SealedColumn[] = [
  { table: 'webhook_endpoints', id: 'id', column: 'secret', purpose: WEBHOOK_SECRETS },
  { table: 'webhook_endpoints', id: 'id', column: 'former_secret', purpose: WEBHOOK_SECRETS },
]
