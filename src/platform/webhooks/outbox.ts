import { randomUUID } from 'node:crypto'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { WebhookTables } from './tables.ts'

/** A message about a change, to all endpoints of an owner that want its type. */
type WebhookMessage = {
  ownerId: string
  type: string
  subjectId: string
  /** `data`, or a draft from which the service makes it before the first delivery. */
  data: object
  isDraft: boolean
  timeMs: number
}

/** Writes messages as part of a change, and has them sent soon after it. */
export type WebhookOutbox = { add: typeof addMessage; forget: typeof forgetMessages }

/** @param onAdded is called when a message may soon be found */
export function createWebhookOutbox(onAdded: () => void): WebhookOutbox {
  return {
    async add(transaction, message) {
      const isAdded = await addMessage(transaction, message)
      if (isAdded) onAdded()
      return isAdded
    },
    forget: forgetMessages,
  }
}

/**
 * Adds a message to the transaction of its change, so that both are stored or neither. It is found by the next search
 * for due deliveries. It costs a look into an index if no endpoint wants it.
 * @returns true if an endpoint wants it
 */
export async function addMessage<Tables extends WebhookTables>(
  transaction: Transaction<Tables>,
  message: WebhookMessage,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await insertFor(own(transaction), message)
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** Tells whether any endpoint wants a type, for a message whose data takes work to read. */
export async function isMessageWanted<Tables extends WebhookTables>(
  transaction: Transaction<Tables>,
  ownerId: string,
  type: string,
): Promise<boolean> {
  const query = own(transaction).selectFrom('webhook_endpoints').select('id')
  const found = await query.where('owner_id', '=', ownerId).where(wants(type)).limit(1).executeTakeFirst()
  return found !== undefined
}

/**
 * Removes the texts about a thing that is being deleted from the log, and the answers of receivers. Pending messages
 * are still delivered, then removed.
 */
export async function forgetMessages<Tables extends WebhookTables>(
  transaction: Transaction<Tables>,
  ownerId: string,
  subjectId: string,
): Promise<void> {
  await own(transaction)
    .updateTable('webhook_deliveries')
    .set({ is_forgotten: 1, payload: sql`case when status = 'pending' then payload end`, response_body: null })
    .where('owner_id', '=', ownerId)
    .where('subject_id', '=', subjectId)
    .execute()
}

/** Inserts one delivery for each endpoint that wants the message, in a single statement. */
async function insertFor(db: Kysely<WebhookTables>, message: WebhookMessage) {
  const { ownerId, type, subjectId, data, isDraft, timeMs } = message
  const text = (value: string) => sql<string>`cast(${value} as text)`
  const time = sql<number>`cast(${timeMs} as bigint)`
  return await db
    .insertInto('webhook_deliveries')
    .columns([
      'endpoint_id',
      'id',
      'owner_id',
      'subject_id',
      'type',
      'created_at',
      'payload',
      'is_draft',
      'is_forgotten',
      'status',
      'attempts',
      'due_at',
    ])
    .expression(({ selectFrom }) =>
      selectFrom('webhook_endpoints')
        .select([
          'webhook_endpoints.id as endpoint_id',
          text(randomUUID()).as('id'),
          'owner_id',
          text(subjectId).as('subject_id'),
          text(type).as('type'),
          time.as('created_at'),
          text(JSON.stringify(data)).as('payload'),
          sql<number>`cast(${isDraft ? 1 : 0} as integer)`.as('is_draft'),
          sql<number>`0`.as('is_forgotten'),
          sql<'pending'>`'pending'`.as('status'),
          sql<number>`0`.as('attempts'),
          time.as('due_at'),
        ])
        .where('owner_id', '=', ownerId)
        .where(wants(type)),
    )
    .executeTakeFirstOrThrow()
}

/** The condition of endpoints that want a type. Types have no characters that JSON escapes or `like` interprets. */
function wants(type: string) {
  return sql<boolean>`is_enabled = 1 and (types is null or types like ${`%"${type}"%`})`
}

/** A transaction of the service, seen as one on the tables of this folder alone. */
function own<Tables extends WebhookTables>(transaction: Transaction<Tables>): Kysely<WebhookTables> {
  return transaction as unknown as Kysely<WebhookTables>
}
