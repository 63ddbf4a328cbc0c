import { stringify } from 'csv-stringify/sync'
import type { AuditQueries, AuditSearch } from '../storage/audit-queries.ts'
import { auditRecordJson } from './audit-record-json.ts'
import type { AuditRecord } from './audit-schemas.ts'

type AuditExportFormat = 'csv' | 'jsonl'

/** Records read at once: a page takes some milliseconds, and about a megabyte. */
const PAGE_SIZE = 1000

const COLUMNS: readonly [name: string, value: (record: AuditRecord) => string | number | null | undefined][] = [
  ['position', ({ position }) => position],
  ['time', ({ time }) => time],
  ['source', ({ source }) => source],
  ['actor', ({ actor }) => actor?.name],
  ['actor_id', ({ actor }) => actor?.id],
  ['action', ({ action }) => action],
  ['subject_kind', ({ subject }) => subject?.kind],
  ['subject', ({ subject }) => subject?.name],
  ['subject_id', ({ subject }) => subject?.id],
  ['within_kind', ({ within }) => within?.kind],
  ['within', ({ within }) => within?.name],
  ['within_id', ({ within }) => within?.id],
  ['outcome', ({ outcome }) => outcome],
  ['status', ({ status }) => status],
  ['ended_at', ({ ended_at }) => ended_at],
  ['result_id', ({ result }) => result?.id],
  ['count', ({ count }) => count],
  ['address', ({ address }) => address],
  ['session_id', ({ session_id }) => session_id],
  ['browser', ({ browser }) => browser],
  ['request_id', ({ request_id }) => request_id],
  ['details', ({ details }) => JSON.stringify(details)],
  ['hash', ({ hash }) => hash],
]

/**
 * Writes the records of a search, the newest first, in pieces of a page. CSV (RFC 4180) begins with a byte order mark,
 * and text that a spreadsheet would take for a formula with an apostrophe.
 */
export async function* exportAuditRecords(
  { search }: AuditQueries,
  narrowed: AuditSearch,
  format: AuditExportFormat,
): AsyncGenerator<string> {
  if (format === 'csv') yield `\ufeff${csvLines([COLUMNS.map(([name]) => name)])}`
  let before: number | undefined
  for (;;) {
    const rows = await search(narrowed, { before, limit: PAGE_SIZE })
    if (rows.length === 0) return
    before = rows.at(-1)!.position
    const records = rows.map(auditRecordJson)
    if (format === 'jsonl') yield records.map((record) => `${JSON.stringify(record)}\n`).join('')
    else yield csvLines(records.map((record) => COLUMNS.map(([, value]) => value(record))))
  }
}

function csvLines(rows: readonly (readonly unknown[])[]): string {
  return stringify(rows as unknown[][], { escape_formulas: true, record_delimiter: 'windows' })
}
