import { type Kysely, type RawBuilder, sql } from 'kysely'
import { inTransaction } from '../database/transaction.ts'
import type { DeliveryStatus, WebhookDeliveryRow, WebhookTables } from './tables.ts'

/** The first delivery of an endpoint that is due, as one instance saw it. Of several that saw it, one claims it. */
export type DueDelivery = Pick<WebhookDeliveryRow, 'endpoint_id' | 'owner_id' | 'due_at'>

/** Endpoints and owners that have as many attempts in progress as they may have. */
export type Busy = { endpointIds: readonly string[]; ownerIds: readonly string[] }

/** The facts of an attempt, for the log. */
export type Attempt = Pick<
  WebhookDeliveryRow,
  'last_attempt_at' | 'duration_ms' | 'response_status' | 'response_body' | 'error'
>

/** The result of an attempt, and for `pending` the time of the next. */
export type Settlement = Attempt & { status: DeliveryStatus; nextAtMs: number | null }

/** A delivery in the log, without its payload. */
export type LoggedDelivery = Omit<WebhookDeliveryRow, 'payload'>

/** A position in the log: the last delivery on the page before. */
export type DeliveryCursor = { createdAtMs: number; id: string }

/**
 * Deliveries as jobs: an instance with the lease of one attempts it exclusively until the lease expires. Times come
 * from the calling instance, so the clocks of instances must agree to less than the length of a lease.
 */
export type DeliveriesStore = ReturnType<typeof createDeliveriesStore>

const LOGGED = [
  'endpoint_id',
  'id',
  'owner_id',
  'subject_id',
  'type',
  'created_at',
  'is_draft',
  'is_forgotten',
  'status',
  'attempts',
  'due_at',
  'lease_owner',
  'last_attempt_at',
  'duration_ms',
  'response_status',
  'response_body',
  'error',
] as const

export function createDeliveriesStore(db: Kysely<WebhookTables>) {
  const one = (endpointId: string, id: string) =>
    db.selectFrom('webhook_deliveries').where('endpoint_id', '=', endpointId).where('id', '=', id)

  return {
    /** Returns the first due delivery of each endpoint, the oldest first, without busy endpoints and owners. */
    listDue: (nowMs: number, busy: Busy, limit: number) => listDue(db, nowMs, busy, limit),
    /** Leases a due delivery; undefined if another instance was faster. */
    claim: (due: DueDelivery, leaseOwner: string, untilMs: number) => claim(db, due, leaseOwner, untilMs),

    /**
     * Stores the payload of a message made from its draft.
     * @returns the stored one, which may come from another instance
     */
    async completeDraft(
      { endpoint_id, id, owner_id, subject_id }: WebhookDeliveryRow,
      payload: string,
    ): Promise<string | null> {
      await db
        .updateTable('webhook_deliveries')
        .set({ payload, is_draft: 0 })
        .where('owner_id', '=', owner_id)
        .where('subject_id', '=', subject_id)
        .where('id', '=', id)
        .where('is_draft', '=', 1)
        .execute()
      return (await one(endpoint_id, id).select('payload').executeTakeFirst())?.payload ?? null
    },

    /** Records an attempt and ends its lease. Nothing is written if the lease was lost. */
    settle: (claimed: WebhookDeliveryRow, settlement: Settlement) => settle(db, claimed, settlement),
    /** Ends a lease without an attempt. The delivery is due at `atMs`, or when its endpoint is enabled again. */
    release: (claimed: WebhookDeliveryRow, atMs: number) =>
      endLease(db, claimed, { status: 'pending', nextAtMs: atMs }),

    /** Removes the deliveries of an endpoint that was deleted while a message was written. */
    async removeOf(endpointId: string): Promise<void> {
      await db.deleteFrom('webhook_deliveries').where('endpoint_id', '=', endpointId).execute()
    },

    /** Returns the log of an endpoint, newest first. */
    list: (endpointId: string, status: DeliveryStatus | undefined, after: DeliveryCursor | undefined, limit: number) =>
      listLog(db, endpointId, status, after, limit),
    find: async (endpointId: string, id: string) => await one(endpointId, id).selectAll().executeTakeFirst(),

    /** Adds one delivery. */
    async add(delivery: WebhookDeliveryRow): Promise<void> {
      await db.insertInto('webhook_deliveries').values(delivery).execute()
    },

    /**
     * Makes a delivery due now, with all its attempts before it, unless its content is gone. One in progress goes on.
     */
    async redeliver(endpointId: string, id: string, nowMs: number): Promise<void> {
      await db
        .updateTable('webhook_deliveries')
        .set({ status: 'pending', attempts: 0, due_at: nowMs })
        .where('endpoint_id', '=', endpointId)
        .where('id', '=', id)
        .where('lease_owner', 'is', null)
        // The subject may have been deleted since the delivery was read.
        .where('payload', 'is not', null)
        .execute()
    },

    /**
     * Removes deliveries from before a time, and deliveries of endpoints that were deleted while a message was written.
     */
    async removeBefore(timeMs: number): Promise<void> {
      await db.deleteFrom('webhook_deliveries').where('created_at', '<=', timeMs).execute()
      await db
        .deleteFrom('webhook_deliveries')
        .where('due_at', 'is not', null)
        .where('endpoint_id', 'not in', (select) => select.selectFrom('webhook_endpoints').select('id'))
        .execute()
    },

    /** Counts deliveries that are due now or later. */
    async countPending(): Promise<number> {
      const { count } = await db
        .selectFrom('webhook_deliveries')
        .select(({ fn }) => fn.countAll<number | string>().as('count'))
        .where('due_at', 'is not', null)
        .executeTakeFirstOrThrow()
      return Number(count)
    },
  }
}

async function listDue(db: Kysely<WebhookTables>, nowMs: number, busy: Busy, limit: number): Promise<DueDelivery[]> {
  let endpoints = db.selectFrom('webhook_endpoints').select((select) => [
    'id as endpoint_id',
    'owner_id',
    select
      .selectFrom('webhook_deliveries')
      .select(({ fn }) => fn.min('due_at').as('due_at'))
      .whereRef('endpoint_id', '=', 'webhook_endpoints.id')
      .where('due_at', 'is not', null)
      .as('due_at'),
  ])
  if (busy.endpointIds.length > 0) endpoints = endpoints.where('id', 'not in', busy.endpointIds)
  if (busy.ownerIds.length > 0) endpoints = endpoints.where('owner_id', 'not in', busy.ownerIds)
  return await db
    .selectFrom(endpoints.as('endpoints'))
    .selectAll()
    .where('due_at', '<=', nowMs)
    .orderBy('due_at')
    .limit(limit)
    .execute()
}

async function claim(
  db: Kysely<WebhookTables>,
  { endpoint_id, due_at }: DueDelivery,
  leaseOwner: string,
  untilMs: number,
): Promise<WebhookDeliveryRow | undefined> {
  return await db
    .updateTable('webhook_deliveries')
    .set({ lease_owner: leaseOwner, due_at: untilMs })
    .where('endpoint_id', '=', endpoint_id)
    .where('id', '=', (select) =>
      select
        .selectFrom('webhook_deliveries')
        .select('id')
        .where('endpoint_id', '=', endpoint_id)
        .where('due_at', '=', due_at)
        .limit(1),
    )
    // A claim in between has moved this time.
    .where('due_at', '=', due_at)
    .returningAll()
    .executeTakeFirst()
}

async function settle(
  db: Kysely<WebhookTables>,
  claimed: WebhookDeliveryRow,
  { status, nextAtMs, response_body, ...attempt }: Settlement,
): Promise<void> {
  const ending = { ...attempt, attempts: claimed.attempts + 1, status, nextAtMs }
  await endLease(db, claimed, { ...ending, response_body: unlessForgotten(response_body) })
}

/** Answers repeat texts of their subject, and are removed with it. */
function unlessForgotten(text: string | null) {
  return sql<string | null>`case when is_forgotten = 0 then cast(${text} as text) end`
}

type Ending = {
  [Column in keyof WebhookDeliveryRow]?: WebhookDeliveryRow[Column] | RawBuilder<WebhookDeliveryRow[Column]>
} & {
  status: DeliveryStatus
  nextAtMs: number | null
}

async function endLease(
  db: Kysely<WebhookTables>,
  { endpoint_id, id, lease_owner, due_at }: WebhookDeliveryRow,
  { nextAtMs, ...changes }: Ending,
): Promise<void> {
  await inTransaction(db, async (transaction) => {
    // The lock keeps the endpoint from being enabled or disabled until it is known when the delivery is due.
    const endpoint = await transaction
      .selectFrom('webhook_endpoints')
      .select('is_enabled')
      .where('id', '=', endpoint_id)
      .forShare()
      .executeTakeFirst()
    await transaction
      .updateTable('webhook_deliveries')
      .set({
        ...changes,
        lease_owner: null,
        due_at: endpoint?.is_enabled === 1 ? nextAtMs : null,
        ...(changes.status === 'pending' ? {} : { payload: sql`case when is_forgotten = 0 then payload end` }),
      })
      .where('endpoint_id', '=', endpoint_id)
      .where('id', '=', id)
      .where('lease_owner', '=', lease_owner)
      .where('due_at', '=', due_at)
      .execute()
  })
}

async function listLog(
  db: Kysely<WebhookTables>,
  endpointId: string,
  status: DeliveryStatus | undefined,
  after: DeliveryCursor | undefined,
  limit: number,
): Promise<LoggedDelivery[]> {
  let query = db.selectFrom('webhook_deliveries').select(LOGGED).where('endpoint_id', '=', endpointId)
  if (status !== undefined) query = query.where('status', '=', status)
  if (after !== undefined) {
    // The first condition follows from the second; with it the index scan begins at the cursor.
    query = query
      .where('created_at', '<=', after.createdAtMs)
      .where((or) => or.or([or('created_at', '<', after.createdAtMs), or('id', '<', after.id)]))
  }
  return await query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute()
}
