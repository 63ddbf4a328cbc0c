import { invalidFields, unprocessable } from '#platform/errors.ts'
import { clientLeft } from '#platform/http/client-left.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { sendIdempotent } from '#platform/http/idempotency/send-idempotent.ts'
import { deviceTrackIdTaken, pointsQuotaReached, tracksQuotaReached } from '../errors.ts'
import { IMPORT_TYPES, sentFile } from '../imports/import-bodies.ts'
import type { ImportReader } from '../imports/import-reader.ts'
import { type StoreImportDeps, storeImport } from '../imports/store-import.ts'
import { ImportQuery, RecordingFile, TracksImported } from '../schemas/imports.ts'
import { foreignUserErrors, trackCreationKey } from './token-user.ts'

type Deps = StoreImportDeps & { imports: Pick<ImportReader, 'read'> }

/** POST /tracks/import. In a scope of its own, because it takes files. */
export function importTracks(app: HttpServer, deps: Deps) {
  app.post(
    '/tracks/import',
    {
      schema: {
        operationId: 'importTracks',
        summary: 'Import a file',
        description:
          'Creates a stopped track for each track or activity of a file, with its points and the totals of its device, all or nothing. The same file again is refused with 409 and the `track_id` of what is there.',
        tags: ['Tracks'],
        permission: 'record',
        consumes: [...IMPORT_TYPES],
        querystring: ImportQuery,
        body: RecordingFile,
        idempotent: true,
        problems: [deviceTrackIdTaken, tracksQuotaReached, pointsQuotaReached, unprocessable],
        response: { 201: TracksImported },
      },
      // The thread that reads the file checks it.
      validatorCompiler: ({ schema, httpPart, ...rest }) =>
        httpPart === 'body' ? () => true : app.validatorCompiler!({ schema, httpPart, ...rest }),
    },
    async (request, reply) => {
      const { appToken, query } = request
      const errors = foreignUserErrors(appToken, query.user_id, 'user_id')
      if (errors.length > 0) throw invalidFields(errors)
      const sent = sentFile(request)
      const fileBytes = sent.bytes.length
      const idempotencyKey = trackCreationKey(request, 'importTracks')
      const importer = { eventId: appToken.eventId, person: appToken.userId ?? query.user_id ?? '' }
      const file = await deps.imports.read(sent, importer, clientLeft(reply))
      return sendIdempotent(reply, await storeImport(deps, file, { scope: appToken, query, fileBytes, idempotencyKey }))
    },
  )
}
