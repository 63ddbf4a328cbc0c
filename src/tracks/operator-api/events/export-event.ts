import Type from 'typebox'
import { rateLimited } from '#platform/errors.ts'
import { streamed } from '#platform/http/answer-schemas.ts'
import { clientLeft } from '#platform/http/client-left.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { eventNotFound } from '../../errors.ts'
import { type ArchiveDeps, eventArchive } from '../../exports/archive/event-archive.ts'
import { writeArchive } from '../../exports/archive/write-archive.ts'
import { limitedFiles } from '../../exports/send-export.ts'
import { EventParams } from '../../schemas/addresses.ts'
import { ArchiveQuery } from '../../schemas/exports.ts'
import type { EventsStore } from '../../storage/events-store.ts'

/** Archives at once, of all operators and of each. They take hours for very large events. */
const LIMITS = { total: 4, perCaller: 2 }

type Deps = ArchiveDeps & { events: Pick<EventsStore, 'find'> }

/** GET /operator/events/:id/export */
export function exportEvent(app: HttpServer, deps: Deps) {
  const sendFile = limitedFiles(LIMITS)
  app.get(
    '/operator/events/:id/export',
    {
      config: { operator: { role: 'viewer', effect: 'exports' } },
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
      const event = await deps.events.find(params.id)
      if (event === undefined) throw eventNotFound()
      const left = clientLeft(reply)
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
