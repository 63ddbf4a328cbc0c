import type { IncomingHttpHeaders } from 'node:http'
import type { BlobStore } from '#platform/blobs/blob-store.ts'
import { badRequest, unsupportedMediaType } from '#platform/errors.ts'
import { bodyTooSlow } from '#platform/http/bodies/body-speed.ts'
import { drainBody } from '#platform/http/bodies/drain-body.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { Logger } from '#platform/logger.ts'
import { mapFileBrokenOff, mapFileIsEmpty, mapFileRefused, mapFileTooLarge, tooManyMapFiles } from '../errors.ts'
import type { MapsStore } from '../storage/maps-store.ts'
import type { ChosenMap } from './chosen-map.ts'
import { fromRow, type MapLibrary } from './files/map-library.ts'
import { tooLarge } from './files/received-map-file.ts'
import { storeMapFile } from './files/store-map-file.ts'
import { MapFile, MapFileBody, MapFileUpload } from './map-schemas.ts'
import { mapFileJson } from './map-settings-json.ts'

type Deps = {
  maps: MapsStore
  mapBlobs: () => Promise<BlobStore>
  mapLibrary: Pick<MapLibrary, 'announceChange'>
  chosenMap: Pick<ChosenMap, 'choice'>
  maxMapFileBytes: number
  logger: Logger
  now: () => number
}

/** POST /operator/map/files. In a scope of its own, because it parses no bodies. */
export function uploadMapFile(app: HttpServer, deps: Deps) {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _body, done) => done(null))
  app.post(
    '/operator/map/files',
    {
      config: { operator: { role: 'owner', effect: 'changes' } },
      schema: {
        operationId: 'uploadMapFile',
        summary: 'Upload a map file',
        description: `The body is a PMTiles archive of version 3: vector tiles in the Protomaps schema, or images. It is checked while it
arrives, and stored as a whole or not at all. A file that is already there is answered as it is.`,
        tags: ['Map'],
        querystring: MapFileUpload,
        consumes: ['application/vnd.pmtiles'],
        body: MapFileBody,
        problems: [
          mapFileIsEmpty,
          mapFileBrokenOff,
          bodyTooSlow,
          tooManyMapFiles,
          mapFileTooLarge,
          unsupportedMediaType,
          mapFileRefused,
        ],
        response: { 201: MapFile },
      },
      // The body is checked while it arrives.
      attachValidation: false,
      validatorCompiler: ({ schema, httpPart, ...rest }) =>
        httpPart === 'body' ? () => true : app.validatorCompiler!({ schema, httpPart, ...rest }),
    },
    async ({ operatorId, raw, query }, reply) => {
      try {
        checkHead(raw.headers, deps.maxMapFileBytes)
        const { mapBlobs: blobs, logger } = deps
        const row = await storeMapFile({ ...deps, blobs }, raw, query.name)
        await deps.mapLibrary.announceChange()
        logger.info({ file: row.sha256, by: operatorId }, 'map file uploaded')
        return reply.code(201).send(mapFileJson(fromRow(row), await deps.chosenMap.choice()))
      } catch (error) {
        await drainBody(raw, error)
        throw error
      }
    },
  )
}

/** Refuses what can be refused before any of the body has arrived. */
function checkHead(headers: IncomingHttpHeaders, limitBytes: number): void {
  if (!/^(?:identity)?$/i.test(headers['content-encoding'] ?? ''))
    throw unsupportedMediaType({ detail: 'Upload the file without Content-Encoding.' })
  if (Number(headers['content-length'] ?? 0) > limitBytes) throw tooLarge(limitBytes)
  // A part would be taken for the whole (RFC 9110, 14.5).
  if (headers['content-range'] !== undefined)
    throw badRequest({ detail: 'Upload the whole file, without Content-Range.' })
}
