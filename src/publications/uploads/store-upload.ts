import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { PublicationsDeps } from '../deps.ts'
import { checkPdf } from '../documents/checked-pdf.ts'
import { pathIsTaken, ticketUsed, uploadBrokenOff, uploadNotFound } from '../errors.ts'
import type { Uploaded } from '../schemas/uploads.ts'
import type { UploadRow } from '../storage/tables.ts'
import type { UploadedFile } from '../storage/uploads-store.ts'
import { DOCUMENTS_FOLDER } from './sweep-uploads.ts'

type Stores = Pick<PublicationsDeps, 'blobs' | 'uploads' | 'maxUploadBytes' | 'now' | 'logger'>

/**
 * Takes the body of an upload in, streamed and checked on its way, and makes the ticket one that is used. The file is
 * under its key before the database speaks of it; a crash in between leaves a file that the sweep removes.
 * @throws what `checkPdf` does; ticketUsed, pathIsTaken or uploadNotFound when another request was faster;
 * uploadBrokenOff when nobody is there any more to learn of it
 */
export async function storeUpload(request: IncomingMessage, ticket: UploadRow, stores: Stores): Promise<Uploaded> {
  const file = await storeBlob(request, stores)
  await acknowledge(request, ticket, file, stores)
  const { storage_key, workspace_id, path } = ticket
  return {
    storageKey: storage_key,
    pdfPath: `${workspace_id}/${path}`,
    workspaceId: workspace_id,
    size: file.size,
  }
}

async function storeBlob(request: IncomingMessage, { blobs, maxUploadBytes }: Stores): Promise<UploadedFile> {
  const pdf = checkPdf(request, maxUploadBytes)
  await using draft = await blobs.draft(pdf.bytes)
  // Nothing more comes; a bucket may need long for a large file, and the connection is not idle meanwhile.
  request.socket.setTimeout(0)
  const blobKey = `${DOCUMENTS_FOLDER}${randomUUID()}.pdf`
  await draft.commit(blobKey)
  return { blobKey, ...pdf.file() }
}

async function acknowledge(
  { socket }: IncomingMessage,
  ticket: UploadRow,
  file: UploadedFile,
  { blobs, uploads, now, logger }: Stores,
) {
  // Whoever cannot be answered any more, such as one whose body was longer than its Content-Length, is to try again.
  // Where the rest fails, nobody knows whether it took effect, so that the file has to stay until the sweep knows.
  const outcome = socket.writable ? await uploads.acknowledge(ticket.storage_key, file, now()) : 'unheard'
  if (outcome === 'stored') return
  await blobs
    .delete(file.blobKey)
    .catch((err) => logger.warn({ err }, 'a file that is not needed was left to the sweep'))
  if (outcome === 'unheard') throw uploadBrokenOff()
  if (outcome === 'used') throw ticketUsed()
  throw outcome === 'path taken' ? pathIsTaken() : uploadNotFound()
}
