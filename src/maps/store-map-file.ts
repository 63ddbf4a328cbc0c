import { createHash, randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { ConfigError } from '#platform/basics/config.ts'
import type { Logger } from '#platform/basics/logger.ts'
import type { BlobStore } from '#platform/blobs/blob-store.ts'
import { MAX_S3_BLOB_BYTES } from '#platform/blobs/s3-address.ts'
import { storeArriving } from '#platform/http/body-limits.ts'
import { mapFileBrokenOff, mapFileIsEmpty, mapFileRefused, mapFileTooLarge, tooManyMapFiles } from './errors.ts'
import { readMapFileFacts } from './map-file-metadata.ts'
import { HEADER_BYTES, MapFileFault, readMapFileHeader } from './pmtiles.ts'
import type { MapFileFacts } from './schemas.ts'
import type { MapFileRow, MapsStore } from './store.ts'

/** The folder of map files in the blob store. */
const MAPS_FOLDER = 'maps/'

const MAX_FILES = 100

type Deps = {
  maps: MapsStore
  mapBlobs: () => Promise<BlobStore>
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
  const { maps, mapBlobs, maxMapFileBytes, logger, now } = deps
  if ((await maps.listFiles()).length >= MAX_FILES) throw tooManyMapFiles()
  const store = await mapBlobs()
  const received = receiveMapFile(maxMapFileBytes)
  await using draft = await storeArriving(request, mapFileBrokenOff, (pieces) => store.draft(received.check(pieces)))
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

/** The header and the root directory of a file are within these bytes. */
export const BEGINNING_BYTES = 16_384

/**
 * Counts, hashes and checks a body while it is read, and keeps only its directory and metadata. A body that is no map
 * file is refused by its first bytes, and the rest is left unread. Reading throws mapFileTooLarge, mapFileRefused and
 * mapFileIsEmpty.
 */
function receiveMapFile(limitBytes: number) {
  const hash = createHash('sha256')
  const beginning = keepSection(0, BEGINNING_BYTES)
  let metadata: ReturnType<typeof keepSection> | undefined
  let sizeBytes = 0
  let facts: MapFileFacts | undefined

  function check(piece: Buffer): void {
    beginning.add(piece, sizeBytes)
    if (metadata === undefined && beginning.length() >= HEADER_BYTES) {
      const { offset, length } = readMapFileHeader(beginning.bytes()).metadata
      metadata = keepSection(offset, length)
      metadata.add(beginning.bytes(), 0)
      // The piece may go on after the part of the beginning that is kept.
      const rest = Math.max(0, beginning.length() - sizeBytes)
      metadata.add(piece.subarray(rest), sizeBytes + rest)
    } else metadata?.add(piece, sizeBytes)
  }

  async function* checked(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, void> {
    try {
      for await (const piece of pieces) {
        if (sizeBytes + piece.length > limitBytes) throw tooLarge(limitBytes)
        check(piece)
        sizeBytes += piece.length
        hash.update(piece)
        yield piece
      }
      if (sizeBytes === 0) throw mapFileIsEmpty()
      const parts = { beginning: beginning.bytes(), metadata: metadata?.bytes() ?? Buffer.alloc(0), sizeBytes }
      facts = await readMapFileFacts(parts)
    } catch (error) {
      if (!(error instanceof MapFileFault)) throw error
      throw mapFileRefused({ detail: error.message, members: { fault: error.kind } })
    }
  }

  return {
    /** Passes on the pieces of the body. */
    check: checked,
    /** Returns the facts of the file once all pieces have been read. */
    file: () => ({ sizeBytes, sha256: hash.digest('hex'), facts: facts! }),
  }
}

/** Creates the error of a file that is too large, with the limit. */
export function tooLarge(limitBytes: number) {
  return mapFileTooLarge({
    detail: `The file is larger than ${limitBytes} bytes, the maximum on this server (MAX_MAP_FILE_BYTES).`,
  })
}

/** Keeps the bytes of a section of the file; pieces have to be added in order. */
function keepSection(offset: number, length: number) {
  const kept: Buffer[] = []
  let keptBytes = 0
  return {
    add(piece: Buffer, at: number): void {
      const from = Math.max(0, offset + keptBytes - at)
      const to = Math.min(piece.length, offset + length - at)
      if (from >= to) return
      // A copy, because pieces are released.
      kept.push(Buffer.from(piece.subarray(from, to)))
      keptBytes += to - from
    },
    length: () => keptBytes,
    bytes: () => Buffer.concat(kept),
  }
}

const DAY_MS = 24 * 3_600_000

/**
 * Removes the remains of uploads that a crash interrupted. Anything younger than a day is left alone, so that uploads
 * in progress are safe; several instances may sweep at once. Returns the number of removed files.
 */
export async function sweepMapFiles(maps: MapsStore, store: BlobStore, nowMs: number): Promise<number> {
  let removed = await store.sweepDrafts(DAY_MS)
  const old: string[] = []
  for await (const { key, modifiedMs } of store.list(MAPS_FOLDER)) if (modifiedMs < nowMs - DAY_MS) old.push(key)
  const known = await maps.knownBlobs(old)
  for (const key of old) {
    if (known.has(key)) continue
    await store.delete(key)
    removed++
  }
  return removed
}

/** Requires that map files of the largest size can be stored. @throws ConfigError */
export function requireStorable(maxMapFileBytes: number, blobsUrl: string): void {
  if (blobsUrl === '' || maxMapFileBytes <= MAX_S3_BLOB_BYTES) return
  throw new ConfigError([
    `MAX_MAP_FILE_BYTES must be at most ${MAX_S3_BLOB_BYTES} with BLOBS_URL (it is ${maxMapFileBytes}): a bucket cannot copy a larger file. Put larger ones into DATA_DIR/maps.`,
  ])
}
