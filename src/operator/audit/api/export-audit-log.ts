import { Readable } from 'node:stream'
import Type from 'typebox'
import { streamed } from '#platform/http/answer-schemas.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { contentDisposition } from '#platform/http/ranges/content-disposition.ts'
import type { AuditQueries } from '../../storage/audit-queries.ts'
import { AuditExportQuery } from '../audit-schemas.ts'
import { exportAuditRecords } from '../export-audit-records.ts'
import { auditSearch } from './audit-search.ts'

type Deps = { auditQueries: AuditQueries }

const CONTENT_TYPES = { csv: 'text/csv; charset=utf-8', jsonl: 'application/jsonl; charset=utf-8' } as const

/** GET /operator/audit/export */
export function exportAuditLog(app: HttpServer, { auditQueries }: Deps) {
  app.get(
    '/operator/audit/export',
    {
      config: { operator: { role: 'owner', effect: 'exports' } },
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
