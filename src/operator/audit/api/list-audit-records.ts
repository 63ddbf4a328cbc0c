import { createCursorCodec, pageOf } from '#platform/cursor/list-cursor.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { AuditQueries } from '../../storage/audit-queries.ts'
import { auditRecordJson } from '../audit-record-json.ts'
import { AuditQuery, AuditRecordList, DEFAULT_AUDIT_RECORDS_PER_PAGE } from '../audit-schemas.ts'
import { auditSearch } from './audit-search.ts'

type Deps = { auditQueries: AuditQueries }

const cursors = createCursorCodec<{ position: number }>('audit', ({ position }) => Number.isSafeInteger(position))

/** GET /operator/audit */
export function listAuditRecords(app: HttpServer, { auditQueries }: Deps) {
  app.get(
    '/operator/audit',
    {
      config: { operator: { role: 'owner', effect: 'reads' } },
      schema: {
        operationId: 'listAuditRecords',
        summary: 'List the audit log',
        description: 'Returns who did what, to which thing and from where, the newest first.',
        tags: ['Audit log'],
        querystring: AuditQuery,
        response: { 200: AuditRecordList },
      },
    },
    async ({ query }) => {
      const { limit = DEFAULT_AUDIT_RECORDS_PER_PAGE, cursor, ...filters } = query
      const before = cursor === undefined ? undefined : cursors.decode(cursor).position
      const found = await auditQueries.search(auditSearch(filters), { before, limit: limit + 1 })
      const { rows, nextCursor } = pageOf(found, limit, cursors, ({ position }) => ({ position }))
      return { records: rows.map(auditRecordJson), next_cursor: nextCursor }
    },
  )
}
