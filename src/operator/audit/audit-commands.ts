import { type Command, UsageError } from '#platform/basics/command.ts'
import { readDecimal } from '#platform/basics/text.ts'
import { parseDateTime, readDuration } from '#platform/basics/time.ts'
import type { Database } from '#platform/database/database.ts'
import type { OperatorTables } from '../model/tables.ts'
import { auditRecordJson, createAuditQueries, exportAuditRecords } from './audit-records.ts'
import { type AuditHead, createAuditStore } from './audit-store.ts'
import { verifyAuditLog } from './verify-audit-log.ts'

/** Records that `audit list` prints unless `--limit` says otherwise. */
const DEFAULT_LIMIT = 50
const MAX_LIMIT = 10_000

/** Commands that read the audit log. `write` receives an export piece by piece. */
export function auditCommands(
  database: Database<OperatorTables>,
  write: (text: string) => Promise<void>,
  now: () => number,
): Command[] {
  const queries = createAuditQueries(database.db)
  const store = createAuditStore(database.db)
  const search = (since: string | undefined) => ({ fromMs: since === undefined ? undefined : timeOf(since, now()) })

  return [
    {
      usage: 'audit list [--since 7d] [--limit 50]',
      doc: 'Lists the newest records of the audit log.',
      isReadOnly: true,
      async run(_args, { since, limit }) {
        const rows = await queries.search(search(since), { before: undefined, limit: limitOf(limit) })
        return rows.map(auditRecordJson)
      },
    },
    {
      usage: 'audit export [--since 7d] [--format jsonl]',
      doc: 'Prints the audit log, the newest first, as JSON Lines or CSV.',
      async run(_args, { since, format = 'jsonl' }) {
        if (format !== 'jsonl' && format !== 'csv') throw new UsageError('--format must be jsonl or csv')
        for await (const piece of exportAuditRecords(queries, search(since), format)) await write(piece)
        return undefined
      },
    },
    {
      usage: 'audit verify [--head 42:9f86d081…]',
      doc: 'Checks that no record was changed or removed, with exit status 1 if one was. Prints the head to keep elsewhere.',
      isReadOnly: true,
      async run(_args, { head }) {
        const report = await verifyAuditLog(store, head === undefined ? undefined : headOf(head))
        if (report.fault !== null) process.exitCode = 1
        return report
      },
    },
  ]
}

/** Reads a time, or how long ago it was. */
function timeOf(text: string, nowMs: number): number {
  const durationMs = readDuration(text)
  if (durationMs !== undefined) return nowMs - durationMs
  const time = parseDateTime(text) ?? parseDateTime(`${text}T00:00:00Z`)
  if (time === undefined)
    throw new UsageError('--since must be a length of time such as 7d, or a time such as 2026-05-03T06:15:00Z')
  return time.timeMs
}

function limitOf(text: string | undefined): number {
  const limit = text === undefined ? DEFAULT_LIMIT : readDecimal(text)
  if (limit === undefined || !Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT)
    throw new UsageError(`--limit must be a whole number from 1 to ${MAX_LIMIT}`)
  return limit
}

function headOf(text: string): AuditHead {
  const [, position, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? []
  if (hash === undefined) throw new UsageError('--head must be what audit verify printed before')
  return { position: Number(position), hash }
}
