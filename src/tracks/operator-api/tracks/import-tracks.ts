import { unprocessable } from '#platform/errors.ts'
import { clientLeft } from '#platform/http/client-left.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { deviceTrackIdTaken, eventNotFound, pointsQuotaReached, tracksQuotaReached } from '../../errors.ts'
import { IMPORT_TYPES, sentFile } from '../../imports/import-bodies.ts'
import type { ImportReader } from '../../imports/import-reader.ts'
import { type StoreImportDeps, storeImport } from '../../imports/store-import.ts'
import { EventParams } from '../../schemas/addresses.ts'
import { ImportQuery, RecordingFile, TracksImported } from '../../schemas/imports.ts'
import type { EventsStore } from '../../storage/events-store.ts'
import { wholeEvent } from '../../storage/track-scope.ts'

type Deps = StoreImportDeps & { events: Pick<EventsStore, 'find'>; imports: Pick<ImportReader, 'read'> }

/** POST /operator/events/:id/import. In a scope of its own, because it takes files. */
export function importTracks(app: HttpServer, deps: Deps) {
  app.post(
    '/operator/events/:id/import',
    {
      config: { operator: { role: 'editor', effect: 'changes' } },
      schema: {
        operationId: 'operatorImportTracks',
        summary: 'Import a file',
        description: 'Creates the tracks of a file in the event, as `POST /tracks/import` does with a token.',
        tags: ['Operator'],
        params: EventParams,
        consumes: [...IMPORT_TYPES],
        querystring: ImportQuery,
        body: RecordingFile,
        problems: [eventNotFound, deviceTrackIdTaken, tracksQuotaReached, pointsQuotaReached, unprocessable],
        response: { 201: TracksImported },
      },
      // The thread that reads the file checks it.
      validatorCompiler: ({ schema, httpPart, ...rest }) =>
        httpPart === 'body' ? () => true : app.validatorCompiler!({ schema, httpPart, ...rest }),
    },
    async (request, reply) => {
      const { params, query } = request
      if ((await deps.events.find(params.id)) === undefined) throw eventNotFound()
      const sent = sentFile(request)
      const fileBytes = sent.bytes.length
      const importer = { eventId: params.id, person: `operator ${request.operatorId}` }
      const file = await deps.imports.read(sent, importer, clientLeft(reply))
      const asked = { scope: wholeEvent(params.id), query, fileBytes, idempotencyKey: undefined }
      const { body } = await storeImport(deps, file, asked)
      return reply.code(201).send(body)
    },
  )
}
