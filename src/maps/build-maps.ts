import { join } from 'node:path'
import type { Kysely } from 'kysely'
import type { Logger } from '#platform/basics/logger.ts'
import { type BlobStore, connectBlobs } from '#platform/blobs/connect-blobs.ts'
import type { Database } from '#platform/database/database.ts'
import { createChosenMap } from './chosen-map.ts'
import { createElevationTiles, createTerrain } from './elevation-tiles.ts'
import { createFolderMapFiles, createMapLibrary } from './map-library.ts'
import { createMapsStore, type MapTables } from './store.ts'
import { sweepMapFiles } from './store-map-file.ts'

/** Folder of the data folder for map files that were not uploaded. */
const MAPS_DIR = 'maps'

/** Settings of the operator that concern maps. */
type MapConfig = {
  /** Style of the map until an operator chooses one; empty for none. */
  mapStyleUrl: string
  /** Further origins that maps may load from. */
  mapOrigins: readonly string[]
  maxMapFileBytes: number
}

type Options = {
  config: MapConfig
  dataDir: string
  /** Store of uploaded map files, as `connectBlobs` takes it. */
  blobsUrl: string
  now: () => number
}

/** Builds the map service: the dependencies of its routes, its sweep, and how to close it. */
export function buildMaps<Tables extends MapTables>(
  { config, dataDir, blobsUrl, now }: Options,
  database: Database<Tables>,
) {
  const { mapStyleUrl, mapOrigins, maxMapFileBytes } = config
  const { db, notices } = database
  // Kysely's types do not see that a database with these tables and others has these.
  const maps = createMapsStore(db as unknown as Kysely<MapTables>)
  const store = openWhenNeeded(() => connectBlobs({ url: blobsUrl, dataDir }))
  const folderFiles = createFolderMapFiles(join(dataDir, MAPS_DIR))
  const mapLibrary = createMapLibrary({ maps, folderFiles, blobs: store.open, notices, now })
  const elevationTiles = createElevationTiles(mapLibrary)
  const chosenMap = createChosenMap({
    maps,
    library: mapLibrary,
    elevationTiles,
    defaultStyleUrl: mapStyleUrl,
    extraOrigins: mapOrigins,
    notices,
    now,
  })
  return {
    terrain: createTerrain(chosenMap.elevations, elevationTiles),
    deps: { maps, mapBlobs: store.open, mapLibrary, chosenMap, mapStyleUrl, maxMapFileBytes },
    /** Removes the remains of interrupted uploads. */
    async sweep(): Promise<void> {
      await sweepMapFiles(maps, await store.open(), now())
    },
    async close(): Promise<void> {
      chosenMap.close()
      mapLibrary.close()
      await store.close()
    },
  }
}

/** Parts that the routes of maps are built from. */
export type MapsDeps = ReturnType<typeof buildMaps>['deps'] & { logger: Logger; now: () => number }

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
