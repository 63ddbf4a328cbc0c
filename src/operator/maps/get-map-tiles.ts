import { notFound } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { preconditionFailed, rangeNotSatisfiable, sendBlob } from '#platform/http/ranges/send-blob.ts'
import type { MapLibrary } from './files/map-library.ts'
import { MapFileBody, TilesParams } from './map-schemas.ts'

type Deps = { mapLibrary: Pick<MapLibrary, 'open'> }

const EXTENSION = '.pmtiles'

/** GET /maps/:file. Open to everybody, like the map on the pages of spectators. */
export function getMapTiles(app: HttpServer, { mapLibrary }: Deps) {
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
