import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { BlobStore } from '#platform/blobs/blob-store.ts'
import { endWatch, watchSpeed } from '#platform/http/bodies/body-speed.ts'
import type { Logger } from '#platform/logger.ts'
import { checkPdf } from '../documents/checked-pdf.ts'
import { bytesQuotaReached, pathIsTaken, ticketUsed, uploadBrokenOff, uploadNotFound } from '../errors.ts'
import type { PreparedDocuments } from '../rendering/preparation/prepared-documents.ts'
import type { Uploaded } from '../schemas/uploads.ts'
import type { UploadRow } from '../storage/tables.ts'
import type { UploadedFile, UploadsStore } from '../storage/uploads-store.ts'
import { DOCUMENTS_FOLDER } from './sweep-uploads.ts'

/**
 * Stores the body of an upload, streamed and checked on its way, and marks its ticket as used. The file is stored under
 * its key before the database refers to it; a crash in between leaves a file that the sweep removes.
 * @throws errors of `checkPdf`; bodyTooSlow; ticketUsed, pathIsTaken or uploadNotFound if another request was faster;
 * uploadBrokenOff if the client has disconnected
 */
export type StoreUpload = (request: IncomingMessage, ticket: UploadRow) => Promise<Uploaded>

type Deps = {
  blobs: Pick<BlobStore, 'draft' | 'delete'>
  uploads: Pick<UploadsStore, 'acknowledge' | 'hasRoom'>
  preparedDocuments: Pick<PreparedDocuments, 'begin'>
  maxUploadBytes: number
  logger: Logger
  now: () => number
}

export function createStoreUpload(deps: Deps): StoreUpload {
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

async function storeBlob({ blobs, maxUploadBytes }: Deps, request: IncomingMessage): Promise<UploadedFile> {
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
  { blobs, uploads, now, logger }: Deps,
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
