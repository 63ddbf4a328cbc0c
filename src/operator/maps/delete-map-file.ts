import type { BlobStore } from '#platform/blobs/blob-store.ts'
import { noContent } from '#platform/http/answer-schemas.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { Logger } from '#platform/logger.ts'
import { mapFileInUse, mapFileNotFound } from '../errors.ts'
import type { MapsStore } from '../storage/maps-store.ts'
import { usesFile } from './chosen-map.ts'
import type { MapLibrary } from './files/map-library.ts'
import { removeBlob } from './files/store-map-file.ts'
import { type MapChoice, MapFileParams } from './map-schemas.ts'

type Deps = {
  maps: Pick<MapsStore, 'deleteFile'>
  mapLibrary: Pick<MapLibrary, 'announceChange'>
  mapBlobs: () => Promise<BlobStore>
  logger: Logger
}

/** DELETE /operator/map/files/:id */
export function deleteMapFile(app: HttpServer, { maps, mapLibrary, mapBlobs, logger }: Deps) {
  app.delete(
    '/operator/map/files/:id',
    {
      config: { operator: { role: 'owner', effect: 'erases' } },
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
