import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { BlobStore } from '#platform/blobs/blob-store.ts'
import { endWatch, watchSpeed } from '#platform/http/bodies/body-speed.ts'
import type { Logger } from '#platform/logger.ts'
import { tooManyMapFiles } from '../../errors.ts'
import type { MapsStore } from '../../storage/maps-store.ts'
import type { MapFileRow } from '../../storage/tables.ts'
import { receiveMapFile } from './received-map-file.ts'

/** The folder of map files in the blob store. */
export const MAPS_FOLDER = 'maps/'

const MAX_FILES = 100

type Deps = {
  maps: Pick<MapsStore, 'addFile' | 'findFile' | 'listFiles'>
  blobs: () => Promise<BlobStore>
  maxMapFileBytes: number
  logger: Logger
  now: () => number
}

/**
 * Stores the body of an upload, streamed and checked on its way. The file is stored before the database refers to it; a
 * crash in between leaves a file that the sweep removes. A file that is already there is kept as it is.
 * @throws errors of `receiveMapFile`, bodyTooSlow, tooManyMapFiles
 */
export async function storeMapFile(deps: Deps, request: IncomingMessage, name: string): Promise<MapFileRow> {
  const { maps, blobs, maxMapFileBytes, logger, now } = deps
  if ((await maps.listFiles()).length >= MAX_FILES) throw tooManyMapFiles()
  const store = await blobs()
  const tooSlow = Promise.withResolvers<never>()
  const received = receiveMapFile(request, maxMapFileBytes, tooSlow.promise)
  const watch = watchSpeed(request, tooSlow.reject)
  await using draft = await store.draft(received.bytes).finally(() => endWatch(watch))
  // The body is complete. A bucket may need long for a large file, and the connection is not idle meanwhile.
  request.socket.setTimeout(0)
  const { sha256, sizeBytes, facts } = received.file()
  const known = await maps.findFile(sha256)
  if (known !== undefined) return known
  const blobKey = `${MAPS_FOLDER}${randomUUID()}.pmtiles`
  await draft.commit(blobKey)
  const row: MapFileRow = {
    sha256,
    blob_key: blobKey,
    name,
    size_bytes: sizeBytes,
    facts: JSON.stringify(facts),
    created_at: now(),
  }
  const added = await maps.addFile(row, MAX_FILES)
  if (added !== 'added') await removeBlob(store, blobKey, logger)
  // Counted again: others may have taken the last places while this file arrived.
  if (added === 'too many') throw tooManyMapFiles()
  // Another upload of the same bytes may have been faster. Its row need not be visible yet, and says the same.
  return row
}

/** Deletes a blob to which nothing refers. If that fails, the sweep will do it. */
export async function removeBlob(store: BlobStore, blobKey: string, logger: Logger): Promise<void> {
  await store
    .delete(blobKey)
    .catch((err) => logger.warn({ err }, 'an unneeded map file could not be deleted; the sweep will remove it'))
}
