import { parseDateTime } from '#platform/time/date-time.ts'
import type { AuditSearch } from '../../storage/audit-queries.ts'
import type { AuditQuery } from '../audit-schemas.ts'

/** Returns what the filters of a request narrow the log to. */
export function auditSearch(query: Omit<AuditQuery, 'limit' | 'cursor'>): AuditSearch {
  const { operator, subject, action, source, outcome, from, to } = query
  return { operatorId: operator, subjectId: subject, action, source, outcome, fromMs: timeMs(from), toMs: timeMs(to) }
}

function timeMs(text: string | undefined): number | undefined {
  return text === undefined ? undefined : parseDateTime(text)!.timeMs
}
