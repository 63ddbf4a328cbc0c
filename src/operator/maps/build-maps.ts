import { join } from 'node:path'
import { type BlobStore, connectBlobs } from '#platform/blobs/connect-blobs.ts'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import type { Logger } from '#platform/logger.ts'
import type { operatorConfig } from '../config.ts'
import { createMapsStore } from '../storage/maps-store.ts'
import type { OperatorTables } from '../storage/tables.ts'
import { createChosenMap } from './chosen-map.ts'
import { createFolderMapFiles } from './files/folder-map-files.ts'
import { createMapLibrary } from './files/map-library.ts'
import { sweepMapFiles } from './files/sweep-map-files.ts'

/** Folder of the data folder for map files that were not uploaded. */
const MAPS_DIR = 'maps'

type Options = {
  config: Pick<Settings<typeof operatorConfig>, 'mapStyleUrl' | 'mapOrigins' | 'maxMapFileBytes'>
  dataDir: string
  /** Store of uploaded map files, as `connectBlobs` takes it. */
  blobsUrl: string
  logger: Logger
  now: () => number
}

/** Builds the room of the map: what its routes are built from, its sweep, and how to close it. */
export function buildMaps({ config, dataDir, blobsUrl, logger, now }: Options, database: Database<OperatorTables>) {
  const { mapStyleUrl, mapOrigins, maxMapFileBytes } = config
  const { db, notices } = database
  const maps = createMapsStore(db)
  const store = openWhenNeeded(() => connectBlobs({ url: blobsUrl, dataDir }))
  const folderFiles = createFolderMapFiles(join(dataDir, MAPS_DIR))
  const mapLibrary = createMapLibrary({ maps, folderFiles, blobs: store.open, notices, now })
  const chosenMap = createChosenMap({
    maps,
    library: mapLibrary,
    defaultStyleUrl: mapStyleUrl,
    extraOrigins: mapOrigins,
    notices,
    now,
  })
  return {
    deps: { maps, mapBlobs: store.open, mapLibrary, chosenMap, mapStyleUrl, maxMapFileBytes },
    /** Removes what interrupted uploads have left. */
    async sweep(): Promise<void> {
      try {
        await sweepMapFiles({ maps, blobs: store.open, now })
      } catch (err) {
        logger.warn({ err }, 'removing the remains of uploaded map files failed')
      }
    },
    async close(): Promise<void> {
      chosenMap.close()
      mapLibrary.close()
      await store.close()
    },
  }
}

/** Opens the store when it is first needed, because most installations have no map files. A failure is tried again. */
function openWhenNeeded(connect: () => Promise<BlobStore>) {
  let opening: Promise<BlobStore> | undefined
  return {
    open(): Promise<BlobStore> {
      opening ??= connect().catch((error: unknown) => {
        opening = undefined
        throw error
      })
      return opening
    },
    async close(): Promise<void> {
      const store = await opening?.catch(() => undefined)
      await store?.close()
    },
  }
}
