import { notFound, unsupportedMediaType } from '#platform/basics/errors.ts'
import type { AccessRules } from '#platform/credentials/operator-rule.ts'
import { bodyTooSlow } from '#platform/http/body-limits.ts'
import { type HttpServer, noContent } from '#platform/http/http-server.ts'
import { preconditionFailed, rangeNotSatisfiable, sendBlob } from '#platform/http/ranges.ts'
import { drainBody, requireWholeFile } from '#platform/http/request-body.ts'
import type { MapsDeps } from './build-maps.ts'
import { usesFile } from './chosen-map.ts'
import {
  mapFileBrokenOff,
  mapFileInUse,
  mapFileIsEmpty,
  mapFileNotFound,
  mapFileRefused,
  mapFileTooLarge,
  tooManyMapFiles,
} from './errors.ts'
import { fromRow, type LibraryFile, tilesPath } from './map-library.ts'
import {
  type MapChoice,
  MapChoiceUpdate,
  MapFile,
  MapFileBody,
  MapFileParams,
  MapFileUpload,
  MapSettings,
  TilesParams,
} from './schemas.ts'
import { removeBlob, storeMapFile, tooLarge } from './store-map-file.ts'

/** Rules of access to the map. Its tiles are public, as the pages that show them are. */
export const mapsAccess: AccessRules = {
  Map: {
    getMapSettings: { role: 'owner', effect: 'reads' },
    updateMap: { role: 'owner', effect: 'publishes' },
    uploadMapFile: { role: 'owner', effect: 'changes' },
    deleteMapFile: { role: 'owner', effect: 'erases' },
  },
}

/** GET /operator/map */
export function getMapSettings(app: HttpServer, deps: MapsDeps) {
  app.get(
    '/operator/map',
    {
      schema: {
        operationId: 'getMapSettings',
        summary: 'Get the map',
        description: 'The map of all pages, and the files to choose from.',
        tags: ['Map'],
        response: { 200: MapSettings },
      },
    },
    async () => await mapSettingsJson(deps),
  )
}

/** PUT /operator/map */
export function updateMap(app: HttpServer, deps: MapsDeps) {
  app.put(
    '/operator/map',
    {
      schema: {
        operationId: 'updateMap',
        summary: 'Choose the map',
        description: `Sets the map of all pages on all instances; a page shows it when it is next loaded. The server never requests the
addresses of a style. It allows pages to: their content security policy names the origins.`,
        tags: ['Map'],
        body: MapChoiceUpdate,
        response: { 200: MapSettings },
      },
    },
    async ({ operatorId, body }) => {
      await deps.chosenMap.choose(body)
      deps.logger.info({ kind: body.kind, by: operatorId }, 'map chosen')
      return await mapSettingsJson(deps)
    },
  )
}

/** POST /operator/map/files. In a scope of its own, because it parses no bodies. */
export function uploadMapFile(app: HttpServer, deps: MapsDeps) {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _body, done) => done(null))
  app.post(
    '/operator/map/files',
    {
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
        requireWholeFile(raw.headers, deps.maxMapFileBytes, () => tooLarge(deps.maxMapFileBytes))
        const row = await storeMapFile(deps, raw, query.name)
        await deps.mapLibrary.announceChange()
        deps.logger.info({ file: row.sha256, by: operatorId }, 'map file uploaded')
        return reply.code(201).send(mapFileJson(fromRow(row), await deps.chosenMap.choice()))
      } catch (error) {
        await drainBody(raw, error)
        throw error
      }
    },
  )
}

/** DELETE /operator/map/files/:id */
export function deleteMapFile(app: HttpServer, { maps, mapLibrary, mapBlobs, logger }: MapsDeps) {
  app.delete(
    '/operator/map/files/:id',
    {
      schema: {
        operationId: 'deleteMapFile',
        summary: 'Delete a map file',
        description: 'Only uploaded files can be deleted, and not the one that the map uses.',
        tags: ['Map'],
        params: MapFileParams,
        problems: [mapFileNotFound, mapFileInUse],
        response: { 204: noContent('The file is deleted.') },
      },
    },
    async ({ operatorId, params: { id } }, reply) => {
      const outcome = await maps.deleteFile(id, (choice) => usesFile(JSON.parse(choice) as MapChoice, id))
      if (outcome === 'missing') throw mapFileNotFound()
      if (outcome === 'in use') throw mapFileInUse()
      await mapLibrary.announceChange()
      await removeBlob(await mapBlobs(), outcome.blob_key, logger)
      logger.info({ file: id, by: operatorId }, 'map file deleted')
      return reply.code(204).send()
    },
  )
}

/** Returns the chosen map with all files to choose from. */
async function mapSettingsJson(deps: MapsDeps): Promise<MapSettings> {
  const { chosenMap, mapLibrary, mapStyleUrl, maxMapFileBytes } = deps
  const [choice, { inUse }, files] = await Promise.all([chosenMap.choice(), chosenMap.forPages(), mapLibrary.list()])
  return {
    choice,
    in_use: inUse,
    files: files.map((file) => mapFileJson(file, choice)),
    default_style_url: mapStyleUrl === '' ? null : mapStyleUrl,
    max_file_bytes: maxMapFileBytes,
  }
}

/** Returns a file for the list. */
function mapFileJson(file: LibraryFile, choice: MapChoice): MapFile {
  const { id, name, place, sizeBytes, facts, fault } = file
  return {
    id,
    name,
    place,
    size_bytes: sizeBytes,
    url: tilesPath(file),
    facts,
    fault: fault?.kind ?? null,
    is_in_use: usesFile(choice, id),
  }
}

const EXTENSION = '.pmtiles'

/** GET /maps/:file. Open to everybody, like the map on the pages of spectators. */
export function getMapTiles(app: HttpServer, { mapLibrary }: MapsDeps) {
  app.get(
    '/maps/:file',
    {
      schema: {
        operationId: 'getMapTiles',
        summary: 'Get tiles of a map file',
        description: `A PMTiles archive, of which pages read ranges. The address names the content, so it can be cached for good. No
credentials are needed.`,
        tags: ['Map'],
        params: TilesParams,
        produces: ['application/vnd.pmtiles'],
        problems: [notFound, preconditionFailed, rangeNotSatisfiable],
        response: { 200: MapFileBody, 206: MapFileBody },
      },
    },
    async (request, reply) => {
      const key = request.params.file.slice(0, -EXTENSION.length)
      const source = await mapLibrary.open(key)
      if (source === undefined) throw notFound()
      const store = {
        head: async () => ({ size: source.sizeBytes }),
        read: (_key: string, range?: { start: number; end: number }) => source.read(range),
      }
      const headers = {
        'content-type': 'application/vnd.pmtiles',
        'cache-control': 'public, max-age=31536000, immutable, no-transform',
      }
      return await sendBlob(request, reply, store, { key, etag: key, size: source.sizeBytes, headers })
    },
  )
}
