import Type from 'typebox'
import { rateLimited } from '#platform/basics/errors.ts'
import { disconnectSignal } from '#platform/http/client.ts'
import { type HttpServer, streamed } from '#platform/http/http-server.ts'
import { limitedFiles } from '#platform/http/limited-files.ts'
import { writeArchive } from '#platform/http/zip-archive.ts'
import type { TrackDoor } from '../api/doors.ts'
import { eventNotFound } from '../model/errors.ts'
import { EventParams } from '../model/schema-fields.ts'
import { eventArchive } from './event-archive.ts'
import { ArchiveQuery } from './export-formats.ts'
import { EXPORT_ROUTE, type ExportDeps, sendExport } from './send-export.ts'

const EXPORT = {
  app: { operationId: 'exportTrack', permission: 'read' },
  operator: { operationId: 'operatorExportTrack' },
}

/**
 * Exports at once, of all callers and of each: of events by phones and programs, and of operators. They take turns in
 * formatting, and hold a few megabytes.
 */
const LIMITS = { app: { total: 16, perCaller: 8 }, operator: { total: 8, perCaller: 4 } }

/** Queues for figures that have to be computed. */
const CALLER_KINDS = { app: 'phone', operator: 'operator' } as const

/** GET /tracks/:id/export, GET /operator/tracks/:id/export */
export function exportTrack(app: HttpServer, door: TrackDoor, deps: ExportDeps) {
  const sendFile = limitedFiles(LIMITS[door.audience], 'tracks')
  app.get(
    `${door.path}/export`,
    {
      schema: { summary: 'Download a track', ...EXPORT[door.audience], ...door.schema, ...EXPORT_ROUTE },
      // The file is written piece by piece. The schema describes it.
      serializerCompiler: () => JSON.stringify,
    },
    async (request, reply) => {
      const row = await door.open(request)
      const caller = { key: door.callerOf(request), kind: CALLER_KINDS[door.audience] }
      return await sendExport(deps, request, reply, { row, caller, sendFile })
    },
  )
}

/** Archives at once, of all operators and of each. They take hours for very large events. */
const EXPORT_EVENT_LIMITS = { total: 4, perCaller: 2 }

/** GET /operator/events/:id/export */
export function exportEvent(app: HttpServer, deps: ExportDeps) {
  const sendFile = limitedFiles(EXPORT_EVENT_LIMITS, 'tracks')
  app.get(
    '/operator/events/:id/export',
    {
      schema: {
        operationId: 'operatorExportEvent',
        summary: 'Download all tracks of an event',
        description:
          'Streams a ZIP archive with a file for each track, named after its title, and `tracks.csv`, which lists them. It also names the tracks that the format cannot hold: FIT and TCX need points.',
        tags: ['Operator'],
        params: EventParams,
        querystring: ArchiveQuery,
        produces: ['application/zip'],
        problems: [eventNotFound, rateLimited],
        response: { 200: streamed(Type.String({ description: 'The archive.' })) },
      },
      // The archive is written piece by piece. The schema describes it.
      serializerCompiler: () => JSON.stringify,
    },
    async ({ params, query, operatorId }, reply) => {
      const event = await deps.events.get(params.id)
      const left = disconnectSignal(reply)
      return sendFile(reply, {
        caller: operatorId,
        contentType: 'application/zip',
        stem: event.name,
        extension: 'zip',
        open: () => writeArchive(eventArchive(deps, params.id, query.format ?? 'gpx', left)),
      })
    },
  )
}
