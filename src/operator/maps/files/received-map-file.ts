import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { arrivingPieces } from '#platform/http/bodies/arriving-pieces.ts'
import { HEADER_BYTES, MapFileFault, readMapFileHeader } from '../../domain/map-file-header.ts'
import type { MapFileFacts } from '../../domain/map-file-metadata.ts'
import { mapFileBrokenOff, mapFileIsEmpty, mapFileRefused, mapFileTooLarge } from '../../errors.ts'
import { readMapFileFacts } from './map-file-facts.ts'

/** The header and the root directory of a file are within these bytes. */
export const BEGINNING_BYTES = 16_384

/** A map file that is being received. */
type ReceivedMapFile = {
  /** The bytes in the pieces in which they arrive. */
  bytes: AsyncGenerator<Buffer, void, void>
  /** Returns what is known of the file once all bytes have been read. */
  file(): { sizeBytes: number; sha256: string; facts: MapFileFacts }
}

/**
 * Counts, hashes and checks a body while it is read, and keeps only its directory and metadata. A body that is no map
 * file is refused by its first bytes, and the rest is left unread. Reading throws mapFileTooLarge, mapFileRefused,
 * mapFileIsEmpty, mapFileBrokenOff and the error of `refused`.
 */
export function receiveMapFile(body: Readable, limitBytes: number, refused: Promise<never>): ReceivedMapFile {
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
      // The piece may go on after what is kept of the beginning.
      const rest = Math.max(0, beginning.length() - sizeBytes)
      metadata.add(piece.subarray(rest), sizeBytes + rest)
    } else metadata?.add(piece, sizeBytes)
  }

  async function* bytes(): AsyncGenerator<Buffer, void, void> {
    try {
      for await (const piece of arrivingPieces(body, refused, mapFileBrokenOff)) {
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

  return { bytes: bytes(), file: () => ({ sizeBytes, sha256: hash.digest('hex'), facts: facts! }) }
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
