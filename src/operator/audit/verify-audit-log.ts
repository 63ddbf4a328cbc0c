import { type ChainFault, findChainFault } from '../storage/audit-chain.ts'
import type { AuditHead, AuditStore } from '../storage/audit-store.ts'
import type { AuditRow } from '../storage/tables.ts'

/** State of the log: its extent, and the first fault if there is one. */
export type AuditVerification = {
  records: number
  first: number | null
  /** Position and hash of the newest record, to be kept elsewhere and compared later. */
  head: string | null
  fault: ChainFault | null
}

/** Pace at which a log is read: the records at once, and what happens after them. */
type Pace = { pageSize: number; pause(): Promise<void> }

/** The pace of a command, which nobody else waits for. */
const FAST: Pace = { pageSize: 1000, pause: async () => {} }

/**
 * Reads the whole log and checks that no record was changed, exchanged or removed within its retention.
 * With a head that was noted before, checks that the log still leads through it: without one, a log that
 * was written anew as a whole looks complete.
 */
export async function verifyAuditLog(
  store: Pick<AuditStore, 'after'>,
  noted: AuditHead | undefined,
  { pageSize, pause }: Pace = FAST,
): Promise<AuditVerification> {
  const removals: { through: number; hash: string }[] = []
  let first: AuditRow | undefined
  let last: AuditRow | undefined
  let records = 0
  let fault: ChainFault | undefined
  for (let at = 0; ; at = last!.position) {
    const rows = await store.after(at, pageSize)
    if (rows.length === 0) break
    await pause()
    for (const row of rows) {
      first ??= row
      fault ??= findChainFault(last, row) ?? findOtherHash(noted, row)
      if (row.action === 'removeOldAuditRecords') removals.push(JSON.parse(row.details))
      last = row
      records++
    }
  }
  fault ??= findMissingStart(first, removals) ?? findMissingEnd(noted, last)
  const head = last === undefined ? null : `${last.position}:${last.hash}`
  return { records, first: first?.position ?? null, head, fault: fault ?? null }
}

function findOtherHash(noted: AuditHead | undefined, { position, hash }: AuditRow): ChainFault | undefined {
  if (noted?.position !== position || noted.hash === hash) return undefined
  return { position, problem: 'The record has another hash than the one that was noted.' }
}

/** Older records may be missing only if their removal is recorded. */
function findMissingStart(
  first: AuditRow | undefined,
  removals: readonly { through: number; hash: string }[],
): ChainFault | undefined {
  if (first === undefined || first.position === 1) return undefined
  const isRecorded = removals.some(({ through, hash }) => through === first.position - 1 && hash === first.previous)
  if (isRecorded) return undefined
  return { position: first.position, problem: 'The records before this one were removed, and the log does not say so.' }
}

function findMissingEnd(noted: AuditHead | undefined, last: AuditRow | undefined): ChainFault | undefined {
  if (noted === undefined || (last !== undefined && last.position >= noted.position)) return undefined
  return { position: noted.position, problem: 'The newest records were removed: the noted one is missing.' }
}
