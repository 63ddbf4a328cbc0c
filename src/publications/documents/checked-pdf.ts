import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { arrivingPieces } from '#platform/http/bodies/arriving-pieces.ts'
import { hasPdfHeader, PDF_HEADER_WITHIN_BYTES } from '../domain/pdf-header.ts'
import { notPdf, uploadBrokenOff, uploadIsEmpty, uploadTooLarge } from '../errors.ts'

/** A PDF that is being received. */
type CheckedPdf = {
  /** The bytes in the pieces in which they arrive. */
  bytes: AsyncGenerator<Buffer, void, void>
  /** Size and hash of the bytes, once all have been read. */
  file(): { size: number; sha256: string }
}

/**
 * Counts, hashes and checks a body while it is read, without keeping it. Reading stops at the first error and leaves
 * the rest of the body unread. A piece is released when the next one is requested. Reading throws uploadTooLarge,
 * notPdf as early as possible, uploadIsEmpty, uploadBrokenOff and the error of `refused`.
 */
export function checkPdf(body: Readable, limitBytes: number, refused: Promise<never>): CheckedPdf {
  const hash = createHash('sha256')
  const header = createHeaderCheck()
  let size = 0

  async function* bytes(): AsyncGenerator<Buffer, void, void> {
    for await (const piece of arrivingPieces(body, refused, uploadBrokenOff)) {
      size += piece.length
      if (size > limitBytes) throw tooLarge(limitBytes)
      header.add(piece)
      hash.update(piece)
      yield piece
    }
    if (size === 0) throw uploadIsEmpty()
    header.end()
  }

  return { bytes: bytes(), file: () => ({ size, sha256: hash.digest('hex') }) }
}

/** Creates the error of a file that is too large, with the limit. */
export function tooLarge(limitBytes: number) {
  return uploadTooLarge({ detail: `The file is larger than ${limitBytes} bytes, the maximum on this server.` })
}

function createHeaderCheck() {
  let beginning: Buffer = Buffer.alloc(0)
  let isFound = false

  return {
    add(piece: Buffer): void {
      if (isFound) return
      beginning = Buffer.concat([beginning, piece.subarray(0, PDF_HEADER_WITHIN_BYTES - beginning.length)])
      isFound = hasPdfHeader(beginning)
      if (!isFound && beginning.length === PDF_HEADER_WITHIN_BYTES) throw notPdf()
    },
    end(): void {
      if (!isFound) throw notPdf()
    },
  }
}
