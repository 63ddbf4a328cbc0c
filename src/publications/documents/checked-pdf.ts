import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { releaseBytes } from '#platform/release-bytes.ts'
import { hasPdfHeader, PDF_HEADER_WITHIN_BYTES } from '../domain/pdf-header.ts'
import { notPdf, uploadBrokenOff, uploadIsEmpty, uploadTooLarge } from '../errors.ts'

/** A PDF on its way in. */
export type CheckedPdf = {
  /** The bytes as they came, in the pieces in which they came. */
  bytes: AsyncGenerator<Buffer, void, void>
  /** What they were, once all of them have been read. */
  file(): { size: number; sha256: string }
}

/**
 * Counts, hashes and checks a body while it is read, keeping nothing of it. Reading ends as soon as something is wrong,
 * and the body is left to be read on. A piece is gone when the next one is asked for.
 * Reading throws uploadTooLarge, notPdf as early as it is known, uploadIsEmpty and uploadBrokenOff.
 */
export function checkPdf(body: Readable, limitBytes: number): CheckedPdf {
  const hash = createHash('sha256')
  const header = createHeaderCheck()
  let size = 0

  async function* bytes(): AsyncGenerator<Buffer, void, void> {
    for await (const piece of unlessBrokenOff(body)) {
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

/** The error of a file that is too large, which says how large it may be. */
export function tooLarge(limitBytes: number) {
  return uploadTooLarge({ detail: `The file is larger than ${limitBytes} bytes, the most that uploads may have here.` })
}

/** The body of a request that breaks off fails as its connection does. */
async function* unlessBrokenOff(body: Readable): AsyncGenerator<Buffer, void, void> {
  const pieces = body.iterator({ destroyOnReturn: false })
  try {
    for (;;) {
      const next = await pieces.next().catch((cause) => {
        throw uploadBrokenOff({ cause })
      })
      if (next.done === true) return
      yield next.value
      releaseBytes(next.value)
    }
  } finally {
    await pieces.return?.()
  }
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
