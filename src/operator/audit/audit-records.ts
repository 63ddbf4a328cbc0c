import { Readable } from 'node:stream'
import type { Kysely } from 'kysely'
import Type from 'typebox'
import { csvFile, csvLines } from '#platform/basics/csv.ts'
import { createCursorCodec, pageOf } from '#platform/basics/list-cursor.ts'
import { formatDateTime, parseDateTime } from '#platform/basics/time.ts'
import { contentDisposition } from '#platform/http/content-disposition.ts'
import { type HttpServer, streamed } from '#platform/http/http-server.ts'
import type { AuditRow, OperatorTables } from '../model/tables.ts'
import {
  AuditExportQuery,
  AuditQuery,
  type AuditRecord,
  AuditRecordList,
  DEFAULT_AUDIT_RECORDS_PER_PAGE,
} from './schemas.ts'

/** Filters of a list of records. */
type AuditSearch = {
  operatorId?: string | undefined
  /** A thing, its owner, and the thing created in it. */
  subjectId?: string | undefined
  action?: string | undefined
  source?: string | undefined
  /** `unknown` for an action that was interrupted or is under way. */
  outcome?: string | undefined
  fromMs?: number | undefined
  toMs?: number | undefined
}

/** A record with the record of its outcome, if there is one. */
type ListedAuditRow = AuditRow & {
  ended_at: number | null
  ended_outcome: string | null
  ended_status: number | null
  ended_details: string | null
}

/** Searches the audit log. */
type AuditQueries = ReturnType<typeof createAuditQueries>

export function createAuditQueries(db: Kysely<OperatorTables>) {
  return {
    /** Returns records before a position, the newest first. */
    async search(
      { operatorId, subjectId, action, source, outcome, fromMs, toMs }: AuditSearch,
      { before, limit }: { before: number | undefined; limit: number },
    ): Promise<ListedAuditRow[]> {
      return await db
        .selectFrom('audit_log as entry')
        .leftJoin('audit_log as ending', 'ending.outcome_of', 'entry.position')
        .selectAll('entry')
        .select([
          'ending.at as ended_at',
          'ending.outcome as ended_outcome',
          'ending.status as ended_status',
          'ending.details as ended_details',
        ])
        .where('entry.outcome_of', 'is', null)
        .$if(before !== undefined, (query) => query.where('entry.position', '<', before!))
        .$if(operatorId !== undefined, (query) => query.where('entry.actor_id', '=', operatorId!))
        .$if(action !== undefined, (query) => query.where('entry.action', '=', action!))
        .$if(source !== undefined, (query) => query.where('entry.source', '=', source!))
        .$if(fromMs !== undefined, (query) => query.where('entry.at', '>=', fromMs!))
        .$if(toMs !== undefined, (query) => query.where('entry.at', '<', toMs!))
        .$if(subjectId !== undefined, (query) =>
          query.where((where) =>
            where.or([
              where('entry.subject_id', '=', subjectId!),
              where('entry.within_id', '=', subjectId!),
              where('ending.subject_id', '=', subjectId!),
            ]),
          ),
        )
        .$if(outcome !== undefined, (query) =>
          query.where(({ fn, eb }) => {
            const known = fn.coalesce('entry.outcome', 'ending.outcome')
            return outcome === 'unknown' ? eb(known, 'is', null) : eb(known, '=', outcome!)
          }),
        )
        .orderBy('entry.position', 'desc')
        .limit(limit)
        .execute()
    },
  }
}

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
 * Writes the records of a search, the newest first, in pieces of a page.
 */
export async function* exportAuditRecords(
  { search }: AuditQueries,
  narrowed: AuditSearch,
  format: AuditExportFormat,
): AsyncGenerator<string> {
  if (format === 'csv') yield csvFile([COLUMNS.map(([name]) => name)])
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
