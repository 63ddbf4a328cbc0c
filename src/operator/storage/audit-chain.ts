import { hash } from 'node:crypto'
import type { AuditRow } from './tables.ts'

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
export function auditHash(row: Omit<AuditRow, 'hash'>): string {
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
export function findChainFault(
  before: Pick<AuditRow, 'position' | 'hash'> | undefined,
  row: AuditRow,
): ChainFault | undefined {
  const fault = (problem: string) => ({ position: row.position, problem })
  if (auditHash(row) !== row.hash) return fault('The record was changed: it does not match its hash.')
  if (before === undefined) return undefined
  if (row.position !== before.position + 1) return fault(`Records are missing after position ${before.position}.`)
  if (row.previous !== before.hash) return fault('The record before this one was exchanged.')
  return undefined
}
