import { hash } from 'node:crypto'
import type { Kysely, Transaction } from 'kysely'
import { inTransaction } from '#platform/database/transaction.ts'
import { isLargeShare, type Overdue } from '#platform/jobs/maintenance-clock.ts'
import type { AuditRow, OperatorTables } from '../model/tables.ts'

/** A record to append. Columns that it does not name are null. */
export type NewAuditRecord = Pick<AuditRow, 'at'> & Partial<Omit<AuditRow, 'at' | 'position' | 'previous' | 'hash'>>

/** The end of the log, which grows with every record. */
export type AuditHead = { position: number; hash: string }

/** Appends to the audit log and removes records past their retention. Nothing else can change it. */
export type AuditStore = ReturnType<typeof createAuditStore>

const STATE_ID = 1
const DAY_MS = 86_400_000
/** The database compares with its own clock, which may be a little behind. */
const CLOCK_TOLERANCE_MS = 60_000
/** Records removed in one transaction, which holds up others for some hundred milliseconds at most. */
const MAX_REMOVED_AT_ONCE = 20_000

const EMPTY = {
  source: null,
  action: null,
  actor_id: null,
  actor_name: null,
  subject_kind: null,
  subject_id: null,
  subject_name: null,
  within_kind: null,
  within_id: null,
  within_name: null,
  address: null,
  session_id: null,
  browser: null,
  request_id: null,
  count: 1,
  details: '{}',
  outcome_of: null,
  outcome: null,
  status: null,
}

export function createAuditStore(db: Kysely<OperatorTables>) {
  return {
    /** Appends records, which are on disk when it resolves. @returns their positions */
    append: (records: readonly NewAuditRecord[]): Promise<number[]> =>
      inTransaction(db, (transaction) => append(transaction, records)),

    /** Sets how long records are kept, and records the change if there is one; 0 keeps them for ever. */
    async keepFor(keepMs: number, nowMs: number): Promise<void> {
      await inTransaction(db, async (transaction) => {
        const { keep_ms: before } = await lockState(transaction)
        if (before === keepMs) return
        await transaction.updateTable('audit_state').set({ keep_ms: keepMs }).where('id', '=', STATE_ID).execute()
        const details = { keep_days: keepMs / DAY_MS, kept_days_before: before / DAY_MS }
        await append(transaction, [serverRecord('setAuditRetention', details, nowMs)])
      })
    },

    /** Records that a second factor is required from now on, or is not any more, if the last record says otherwise. */
    noteRequiredFactor: (isRequired: boolean, nowMs: number): Promise<void> =>
      inTransaction(db, async (transaction) => {
        await lockState(transaction)
        const last = await lastAction(transaction, Object.values(REQUIREMENT))
        if ((last === REQUIREMENT.begins) === isRequired) return
        const action = isRequired ? REQUIREMENT.begins : REQUIREMENT.ends
        await append(transaction, [serverRecord(action, {}, nowMs)])
      }),

    /** Counts the records that have passed their time. */
    countOld: (nowMs: number): Promise<Overdue> => countOld(db, nowMs),
    /**
     * Removes the oldest records that have passed their time, a bounded number at once, and records that. To keep such
     * records rare, it waits until the oldest is a day past its time. @returns their number
     */
    removeOld: (nowMs: number): Promise<number> => inTransaction(db, (transaction) => removeOld(transaction, nowMs)),
    /** Returns the newest record's position and hash; undefined for an empty log. */
    head: (): Promise<AuditHead | undefined> => findHead(db),
    /** Returns the number of records and the time of the newest; undefined for an empty log. */
    extent: (): Promise<{ records: number; newestMs: number } | undefined> => findExtent(db),

    /** Returns the next records, in the order in which they were appended. */
    async after(position: number, limit: number): Promise<AuditRow[]> {
      return await db
        .selectFrom('audit_log')
        .selectAll()
        .where('position', '>', position)
        .orderBy('position')
        .limit(limit)
        .execute()
    },
  }
}

/** Actions that note whether a second factor is required. */
const REQUIREMENT = { begins: 'requireSecondFactor', ends: 'stopRequiringSecondFactor' }

/** Returns the newest of these actions in the log. */
async function lastAction(
  transaction: Transaction<OperatorTables>,
  actions: readonly string[],
): Promise<string | null | undefined> {
  const found = await transaction
    .selectFrom('audit_log')
    .select('action')
    .where('action', 'in', actions)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
  return found?.action
}

function serverRecord(action: string, details: object, at: number): NewAuditRecord {
  return { at, source: 'server', action, details: JSON.stringify(details), outcome: 'succeeded' }
}

/** Locks the one row of the state until the transaction ends, so that records follow one another on all instances. */
async function lockState(transaction: Transaction<OperatorTables>) {
  return await transaction
    .selectFrom('audit_state')
    .selectAll()
    .where('id', '=', STATE_ID)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

async function findHead(db: Kysely<OperatorTables>): Promise<AuditHead | undefined> {
  return await db
    .selectFrom('audit_log')
    .select(['position', 'hash'])
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Positions have no gaps, so the two ends tell the number. */
async function findExtent(db: Kysely<OperatorTables>): Promise<{ records: number; newestMs: number } | undefined> {
  const end = (direction: 'asc' | 'desc') =>
    db.selectFrom('audit_log').select(['position', 'at']).orderBy('position', direction).limit(1).executeTakeFirst()
  const [first, last] = [await end('asc'), await end('desc')]
  return first && last && { records: last.position - first.position + 1, newestMs: last.at }
}

async function append(transaction: Transaction<OperatorTables>, records: readonly NewAuditRecord[]): Promise<number[]> {
  await lockState(transaction)
  const head = await findHead(transaction)
  let { position, hash } = head ?? { position: 0, hash: '' }
  const rows = records.map((record) => {
    position += 1
    const row = { ...EMPTY, ...record, position, previous: hash }
    hash = auditHash(row)
    return { ...row, hash }
  })
  await transaction.insertInto('audit_log').values(rows).execute()
  return rows.map((row) => row.position)
}

async function countOld(db: Kysely<OperatorTables>, nowMs: number): Promise<Overdue> {
  const { keep_ms: keepMs } = await db.selectFrom('audit_state').select('keep_ms').executeTakeFirstOrThrow()
  if (keepMs === 0) return { count: 0, isLarge: false }
  const { records, old } = await db
    .selectFrom('audit_log')
    .select((all) => [
      all.fn.countAll<number>().as('records'),
      all.fn
        .countAll<number>()
        .filterWhere('at', '<', nowMs - keepMs - CLOCK_TOLERANCE_MS)
        .as('old'),
    ])
    .executeTakeFirstOrThrow()
  return { count: Number(old), isLarge: isLargeShare(Number(old), Number(records)) }
}

async function removeOld(transaction: Transaction<OperatorTables>, nowMs: number): Promise<number> {
  const { keep_ms: keepMs } = await lockState(transaction)
  if (keepMs === 0) return 0
  const endMs = nowMs - keepMs - CLOCK_TOLERANCE_MS
  const log = () => transaction.selectFrom('audit_log')
  const oldest = await log().select(['position', 'at']).orderBy('position').limit(1).executeTakeFirst()
  if (oldest === undefined || oldest.at >= endMs - DAY_MS) return 0
  const { young } = await log()
    .select((select) => select.fn.min('position').as('young'))
    .where('at', '>=', endMs)
    .executeTakeFirstOrThrow()
  const head = await findHead(transaction)
  const lastOld = (young ?? head!.position + 1) - 1
  const through = Math.min(lastOld, oldest.position + MAX_REMOVED_AT_ONCE - 1)
  const last = await log().select('hash').where('position', '=', through).executeTakeFirstOrThrow()
  const count = through - oldest.position + 1
  const details = { count, through, hash: last.hash }
  await append(transaction, [serverRecord('removeOldAuditRecords', details, nowMs)])
  await transaction.deleteFrom('audit_log').where('position', '<=', through).execute()
  return count
}

/**
 * Columns in the order in which they are hashed. A later column goes to the end, where its
 * absence in older records changes no hash.
 */
const HASHED = [
  'previous',
  'position',
  'at',
  'source',
  'action',
  'actor_id',
  'actor_name',
  'subject_kind',
  'subject_id',
  'subject_name',
  'within_kind',
  'within_id',
  'within_name',
  'address',
  'session_id',
  'browser',
  'request_id',
  'count',
  'details',
  'outcome_of',
  'outcome',
  'status',
] as const satisfies readonly (keyof AuditRow)[]

/** Returns the hash of a record: SHA-256 over its values as a JSON array, without those missing at the end. */
function auditHash(row: Omit<AuditRow, 'hash'>): string {
  const values = HASHED.map((column) => row[column])
  while (values.at(-1) === null) values.pop()
  return hash('sha256', JSON.stringify(values), 'hex')
}

/** A record that does not fit the one before it. */
export type ChainFault = { position: number; problem: string }

/**
 * Compares a record with the one before it; the first of a log is taken as it is.
 * @returns the fault, if there is one
 */
export function findChainFault(before: AuditHead | undefined, row: AuditRow): ChainFault | undefined {
  const fault = (problem: string) => ({ position: row.position, problem })
  if (auditHash(row) !== row.hash) return fault('The record was changed: it does not match its hash.')
  if (before === undefined) return undefined
  if (row.position !== before.position + 1) return fault(`Records are missing after position ${before.position}.`)
  if (row.previous !== before.hash) return fault('The record before this one was exchanged.')
  return undefined
}
