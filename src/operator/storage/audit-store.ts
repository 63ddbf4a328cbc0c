import type { Kysely, Transaction } from 'kysely'
import { inTransaction } from '#platform/database/transaction.ts'
import { isLargeShare, type Overdue } from '#platform/upkeep/upkeep-clock.ts'
import { auditHash } from './audit-chain.ts'
import type { AuditRow, OperatorTables } from './tables.ts'

/** A record to append. What it does not name is null. */
export type NewAuditRecord = Pick<AuditRow, 'at'> & Partial<Omit<AuditRow, 'at' | 'position' | 'previous' | 'hash'>>

/** The end of the log, which grows with every record. */
export type AuditHead = { position: number; hash: string }

/** Appends to the audit log and removes what has passed its retention. Nothing else can change it. */
export type AuditStore = {
  /** Appends records, which are on disk when it resolves. @returns their positions */
  append(records: readonly NewAuditRecord[]): Promise<number[]>
  /** Sets how long records are kept, and records the change if there is one; 0 keeps them for ever. */
  keepFor(keepMs: number, nowMs: number): Promise<void>
  /** Records that a second factor is required from now on, or is not any more, if the last record says otherwise. */
  noteRequiredFactor(isRequired: boolean, nowMs: number): Promise<void>
  /**
   * Removes the oldest records that have passed their time, a bounded number at once, and records that. To keep such
   * records rare, it waits until the oldest is a day past its time. @returns their number
   */
  removeOld(nowMs: number): Promise<number>
  /** Counts the records that have passed their time. */
  countOld(nowMs: number): Promise<Overdue>
  /** Returns the newest record's position and hash; undefined for an empty log. */
  head(): Promise<AuditHead | undefined>
  /** Returns the number of records and the time of the newest; undefined for an empty log. */
  extent(): Promise<{ records: number; newestMs: number } | undefined>
  /** Returns the next records, in the order in which they were appended. */
  after(position: number, limit: number): Promise<AuditRow[]>
}

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

export function createAuditStore(db: Kysely<OperatorTables>): AuditStore {
  return {
    append: (records) => inTransaction(db, (transaction) => append(transaction, records)),

    async keepFor(keepMs, nowMs) {
      await inTransaction(db, async (transaction) => {
        const { keep_ms: before } = await lockState(transaction)
        if (before === keepMs) return
        await transaction.updateTable('audit_state').set({ keep_ms: keepMs }).where('id', '=', STATE_ID).execute()
        const details = { keep_days: keepMs / DAY_MS, kept_days_before: before / DAY_MS }
        await append(transaction, [serverRecord('setAuditRetention', details, nowMs)])
      })
    },

    noteRequiredFactor: (isRequired, nowMs) =>
      inTransaction(db, async (transaction) => {
        await lockState(transaction)
        const last = await lastAction(transaction, Object.values(REQUIREMENT))
        if ((last === REQUIREMENT.begins) === isRequired) return
        const action = isRequired ? REQUIREMENT.begins : REQUIREMENT.ends
        await append(transaction, [serverRecord(action, {}, nowMs)])
      }),

    countOld: (nowMs) => countOld(db, nowMs),
    removeOld: (nowMs) => inTransaction(db, (transaction) => removeOld(transaction, nowMs)),
    head: () => findHead(db),
    extent: () => findExtent(db),

    async after(position, limit) {
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
