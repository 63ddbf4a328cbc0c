import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import type { AuditExportQuery, AuditRecord, AuditRecordList } from '../../../../src/operator/audit/audit-schemas.ts'
import { apiPaths, withQuery } from '../api-paths.ts'
import { queryKeys } from '../query-keys.ts'
import { request } from '../request.ts'

export type { AuditRecord }
export type AuditFilter = Omit<AuditExportQuery, 'format'>

const RECORDS_PER_PAGE = 50

/** The audit log, narrowed by a filter, the newest record first. */
export function auditQuery(filter: AuditFilter) {
  return infiniteQueryOptions({
    queryKey: queryKeys.audit(filter),
    initialPageParam: undefined as string | undefined,
    placeholderData: keepPreviousData,
    queryFn: ({ signal, pageParam }) => {
      const query = { ...filter, limit: RECORDS_PER_PAGE, cursor: pageParam }
      return request<AuditRecordList>('GET', withQuery(apiPaths.audit, query), { signal })
    },
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  })
}

/** The address of a download of the audit log. */
export function auditExportAddress(filter: AuditFilter, format: AuditExportQuery['format']): string {
  return withQuery(apiPaths.auditExport, { ...filter, format })
}
