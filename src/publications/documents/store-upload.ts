import { createHash, randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { arrivingPieces, endWatch, watchSpeed } from '#platform/http/body-limits.ts'
import {
  bytesQuotaReached,
  notPdf,
  pathIsTaken,
  ticketUsed,
  uploadBrokenOff,
  uploadIsEmpty,
  uploadNotFound,
  uploadTooLarge,
} from '../errors.ts'
import type { UploadRow } from '../model/tables.ts'
import type { UploadedFile } from '../model/uploads-store.ts'
import type { DocumentsDeps } from './documents-deps.ts'
import type { Uploaded } from './schemas.ts'
import { DOCUMENTS_FOLDER } from './sweep-uploads.ts'

/**
 * Stores the body of an upload, streamed and checked on its way, and marks its ticket as used. The file is stored under
 * its key before the database refers to it; a crash in between leaves a file that the sweep removes.
 * @throws errors of `checkPdf`; bodyTooSlow; ticketUsed, pathIsTaken or uploadNotFound if another request was faster;
 * uploadBrokenOff if the client has disconnected
 */
export type StoreUpload = (request: IncomingMessage, ticket: UploadRow) => Promise<Uploaded>

export function createStoreUpload(deps: DocumentsDeps): StoreUpload {
  return async (request, ticket) => {
    const announced = Number(request.headers['content-length'] ?? 1)
    if (!(await deps.uploads.hasRoom(ticket.workspace_id, announced))) throw bytesQuotaReached()
    const file = await storeBlob(deps, request)
    await acknowledge(deps, request, ticket, file)
    const { storage_key, workspace_id, path } = ticket
    deps.preparedDocuments.begin(file.blobKey, workspace_id)
    return {
      storageKey: storage_key,
      pdfPath: `${workspace_id}/${path}`,
      workspaceId: workspace_id,
      size: file.size,
    }
  }
}

async function storeBlob({ blobs, maxUploadBytes }: DocumentsDeps, request: IncomingMessage): Promise<UploadedFile> {
  const tooSlow = Promise.withResolvers<never>()
  const pdf = checkPdf(request, maxUploadBytes, tooSlow.promise)
  const watch = watchSpeed(request, tooSlow.reject)
  await using draft = await blobs.draft(pdf.bytes).finally(() => endWatch(watch))
  // The body is complete. A bucket may need long for a large file, and the connection is not idle meanwhile.
  request.socket.setTimeout(0)
  const blobKey = `${DOCUMENTS_FOLDER}${randomUUID()}.pdf`
  await draft.commit(blobKey)
  return { blobKey, ...pdf.file() }
}

async function acknowledge(
  { blobs, uploads, now, logger }: DocumentsDeps,
  { socket }: IncomingMessage,
  ticket: UploadRow,
  file: UploadedFile,
) {
  // A client that can no longer be answered, such as one whose body was longer than its Content-Length, has to try
  // again. If acknowledging fails, its outcome is unknown, so the file has to stay until the sweep finds out.
  const outcome = socket.writable ? await uploads.acknowledge(ticket.storage_key, file, now()) : 'unheard'
  if (outcome === 'stored') return
  await blobs
    .delete(file.blobKey)
    .catch((err) => logger.warn({ err }, 'an unneeded file could not be deleted; the sweep will remove it'))
  if (outcome === 'unheard') throw uploadBrokenOff()
  if (outcome === 'used') throw ticketUsed()
  if (outcome === 'no room') throw bytesQuotaReached()
  throw outcome === 'path taken' ? pathIsTaken() : uploadNotFound()
}

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
function checkPdf(body: Readable, limitBytes: number, refused: Promise<never>): CheckedPdf {
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

/** Readers look for the header of a PDF in this many bytes (ISO 32000-1, Annex H, note 13). */
const PDF_HEADER_WITHIN_BYTES = 1024

const HEADER = Buffer.from('%PDF-', 'latin1')

/** Returns true if the whole header of a PDF is within the first 1,024 bytes of a file. */
function hasPdfHeader(beginning: Buffer): boolean {
  return beginning.subarray(0, PDF_HEADER_WITHIN_BYTES).includes(HEADER)
}
