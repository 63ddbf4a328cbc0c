import { formatDateTime } from '#platform/time/date-time.ts'
import type { ListedAuditRow } from '../storage/audit-queries.ts'
import type { AuditRecord } from './audit-schemas.ts'

/** Represents a record with its outcome. */
export function auditRecordJson(row: ListedAuditRow): AuditRecord {
  const outcome = row.outcome ?? row.ended_outcome ?? 'unknown'
  const endedAtMs = row.outcome === null ? row.ended_at : row.at
  return {
    position: row.position,
    time: formatDateTime(row.at),
    source: row.source as AuditRecord['source'],
    action: row.action ?? '',
    actor: row.actor_id === null && row.actor_name === null ? null : { id: row.actor_id, name: row.actor_name },
    subject: thing(row.subject_kind, row.subject_id, row.subject_name),
    within: thing(row.within_kind, row.within_id, row.within_name),
    outcome: outcome as AuditRecord['outcome'],
    status: row.status ?? row.ended_status,
    ended_at: endedAtMs === null ? null : formatDateTime(endedAtMs),
    result: resultIn(row.ended_details),
    count: row.count,
    address: row.address,
    session_id: row.session_id,
    browser: row.browser,
    request_id: row.request_id,
    details: JSON.parse(row.details),
    hash: row.hash,
  }
}

function thing(kind: string | null, id: string | null, name: string | null): AuditRecord['subject'] {
  return kind === null ? null : { kind, id, name }
}

function resultIn(details: string | null): AuditRecord['result'] {
  return details === null ? null : ((JSON.parse(details) as { result?: AuditRecord['result'] }).result ?? null)
}
