import { Readable } from 'node:stream'
import Type from 'typebox'
import { createCursorCodec, pageOf } from '#platform/basics/list-cursor.ts'
import { parseDateTime } from '#platform/basics/time.ts'
import { contentDisposition } from '#platform/http/content-disposition.ts'
import { type HttpServer, streamed } from '#platform/http/http-server.ts'
import { type AuditQueries, type AuditSearch, auditRecordJson, exportAuditRecords } from './audit-records.ts'
import { AuditExportQuery, AuditQuery, AuditRecordList, DEFAULT_AUDIT_RECORDS_PER_PAGE } from './schemas.ts'

const cursors = createCursorCodec<{ position: number }>('audit', ({ position }) => Number.isSafeInteger(position))

/** GET /operator/audit */
export function listAuditRecords(app: HttpServer, { auditQueries }: { auditQueries: AuditQueries }) {
  app.get(
    '/operator/audit',
    {
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

const CONTENT_TYPES = { csv: 'text/csv; charset=utf-8', jsonl: 'application/jsonl; charset=utf-8' } as const

/** GET /operator/audit/export */
export function exportAuditLog(app: HttpServer, { auditQueries }: { auditQueries: AuditQueries }) {
  app.get(
    '/operator/audit/export',
    {
      schema: {
        operationId: 'exportAuditLog',
        summary: 'Download the audit log',
        description:
          'Streams the records that the filters leave, the newest first, as CSV or JSON Lines. The download is itself recorded.',
        tags: ['Audit log'],
        querystring: AuditExportQuery,
        produces: ['text/csv', 'application/jsonl'],
        response: { 200: streamed(Type.String({ description: 'The records.' })) },
      },
      // The file is written piece by piece. The schema describes it.
      serializerCompiler: () => JSON.stringify,
    },
    async ({ query }, reply) => {
      const { format, ...filters } = query
      return reply
        .type(CONTENT_TYPES[format])
        .header('content-disposition', contentDisposition('attachment', 'audit-log', format))
        .send(Readable.from(exportAuditRecords(auditQueries, auditSearch(filters), format)))
    },
  )
}

/** Returns the search that the filters of a request describe. */
function auditSearch(query: Omit<AuditQuery, 'limit' | 'cursor'>): AuditSearch {
  const { operator, subject, action, source, outcome, from, to } = query
  return { operatorId: operator, subjectId: subject, action, source, outcome, fromMs: timeMs(from), toMs: timeMs(to) }
}

function timeMs(text: string | undefined): number | undefined {
  return text === undefined ? undefined : parseDateTime(text)!.timeMs
}
