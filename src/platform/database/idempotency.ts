import { type ColumnType, type Kysely, sql, type Transaction } from 'kysely'
import { conflict, gone, unprocessable } from '../basics/errors.ts'
import { inTransaction } from './transaction.ts'

/** Time for which a response is remembered. */
const IDEMPOTENCY_LIFETIME_MS = 24 * 3_600_000

/** The response of a creation whose result has been deleted. */
const FORGOTTEN = ''

/** The table of remembered responses, in the service's own database so that response and change are one write. */
export type IdempotencyTables = {
  idempotency_keys: {
    /** The event or workspace that sent the key. */
    owner_id: string
    endpoint: string
    key: string
    body_sha256: string
    status: ColumnType<number, number, number>
    answer: ColumnType<string, string, string>
    created_at: number
    /** The resource that the request created. Its response is forgotten when the resource is deleted. */
    subject_id: ColumnType<string | null, never, string | null>
  }
}

/** Creates the table, for a service's migrations. */
export async function createIdempotencyTable(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('idempotency_keys')
    .addColumn('owner_id', 'text', (column) => column.notNull())
    .addColumn('endpoint', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('body_sha256', 'text', (column) => column.notNull())
    .addColumn('status', 'integer', (column) => column.notNull())
    .addColumn('answer', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('subject_id', 'text')
    .addPrimaryKeyConstraint('idempotency_keys_pk', ['owner_id', 'endpoint', 'key'])
    .execute()
  await db.schema.createIndex('idempotency_keys_by_age').on('idempotency_keys').column('created_at').execute()
  await db.schema
    .createIndex('idempotency_keys_by_subject')
    .on('idempotency_keys')
    .columns(['owner_id', 'subject_id'])
    .execute()
}

/** A request with an `Idempotency-Key`, by which a repetition is recognised. */
export type IdempotentRequest = { ownerId: string; endpoint: string; key: string; bodySha256: string }

/** The response of a creation, and the id of the created thing. */
type Creation = { status: number; body: unknown; subjectId: string }

/** The response of a creation; `replayed` if it is the response of an earlier request. */
export type IdempotentAnswer = { status: number; body: unknown; replayed: boolean }

/**
 * Runs `work` and remembers its response under the request's key, in one transaction: both are stored or neither, even
 * if the process dies. A repetition of the request gets the remembered response. A repetition that arrives while the
 * first request is running waits for it, on any instance, because its row waits for the first one's. Failures are not
 * remembered. Without a key, `work` just runs.
 * @throws unprocessable if the key was used with another body, gone if the creation has been deleted since
 */
export async function runIdempotent<Tables extends IdempotencyTables>(
  db: Kysely<Tables>,
  request: IdempotentRequest | undefined,
  nowMs: number,
  work: (transaction: Transaction<Tables>) => Promise<Creation>,
): Promise<IdempotentAnswer> {
  if (request === undefined) return firstAnswer(await inTransaction(db, work))
  const own = db as unknown as Kysely<IdempotencyTables>
  const remembered = await findAnswer(own, request, nowMs)
  if (remembered !== undefined) return remembered
  const fresh = await inTransaction(db, async (transaction) => {
    if (!(await reserve(transaction as unknown as Transaction<IdempotencyTables>, request, nowMs))) return undefined
    const answer = await work(transaction)
    await remember(transaction as unknown as Transaction<IdempotencyTables>, request, answer)
    return answer
  })
  if (fresh !== undefined) return firstAnswer(fresh)
  const first = await findAnswer(own, request, nowMs)
  if (first !== undefined) return first
  throw conflict({
    detail: 'Another request with this Idempotency-Key is still running. Try again.',
    retryAfterSec: 1,
  })
}

function firstAnswer({ status, body }: Creation): IdempotentAnswer {
  return { status, body, replayed: false }
}

/** Deletes expired responses. */
export async function forgetOldAnswers(db: Kysely<IdempotencyTables>, nowMs: number): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where('created_at', '<=', nowMs - IDEMPOTENCY_LIFETIME_MS)
    .execute()
}

/**
 * Deletes the responses about something that is being deleted, because they repeat its texts. Their keys are kept, so
 * that a late repetition does not create it again.
 */
export async function forgetAnswersAbout(
  transaction: Transaction<IdempotencyTables>,
  ownerId: string,
  subjectIds: readonly string[],
): Promise<void> {
  await transaction
    .updateTable('idempotency_keys')
    .set({ answer: FORGOTTEN })
    .where('owner_id', '=', ownerId)
    .where('subject_id', 'in', subjectIds)
    .execute()
}

async function findAnswer(
  db: Kysely<IdempotencyTables>,
  request: IdempotentRequest,
  nowMs: number,
): Promise<IdempotentAnswer | undefined> {
  const row = await db
    .selectFrom('idempotency_keys')
    .select(['body_sha256', 'status', 'answer'])
    .where('owner_id', '=', request.ownerId)
    .where('endpoint', '=', request.endpoint)
    .where('key', '=', request.key)
    .where('created_at', '>', nowMs - IDEMPOTENCY_LIFETIME_MS)
    .executeTakeFirst()
  if (row === undefined) return undefined
  if (row.body_sha256 !== request.bodySha256) {
    throw unprocessable({ detail: 'This Idempotency-Key was used with another body. Use a new key for a new request.' })
  }
  if (row.answer === FORGOTTEN)
    throw gone({ detail: 'The request with this Idempotency-Key created what is deleted by now.' })
  return { status: row.status, body: JSON.parse(row.answer), replayed: true }
}

/** Reserves the key for this transaction. Returns false if another one holds it. An expired key is taken over. */
async function reserve(
  transaction: Transaction<IdempotencyTables>,
  request: IdempotentRequest,
  nowMs: number,
): Promise<boolean> {
  const inserted = await transaction
    .insertInto('idempotency_keys')
    .values({
      owner_id: request.ownerId,
      endpoint: request.endpoint,
      key: request.key,
      body_sha256: request.bodySha256,
      status: 0,
      answer: '',
      created_at: nowMs,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['owner_id', 'endpoint', 'key'])
        .doUpdateSet({ body_sha256: request.bodySha256, created_at: nowMs })
        .where('idempotency_keys.created_at', '<=', nowMs - IDEMPOTENCY_LIFETIME_MS),
    )
    .returning(sql<number>`1`.as('taken'))
    .executeTakeFirst()
  return inserted !== undefined
}

async function remember(
  transaction: Transaction<IdempotencyTables>,
  request: IdempotentRequest,
  { status, body, subjectId }: Creation,
) {
  await transaction
    .updateTable('idempotency_keys')
    .set({ status, answer: JSON.stringify(body), subject_id: subjectId })
    .where('owner_id', '=', request.ownerId)
    .where('endpoint', '=', request.endpoint)
    .where('key', '=', request.key)
    .execute()
}
