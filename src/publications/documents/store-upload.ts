import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Kysely } from 'kysely'
import { pictureFormat } from '#platform/basics/load-sharp.ts'
import type { Logger } from '#platform/basics/logger.ts'
import type { BlobStore } from '#platform/blobs/blob-store.ts'
import type { AssembledBlob, PartialBlob } from '#platform/blobs/partial-blobs.ts'
import { storeArriving } from '#platform/http/body-limits.ts'
import {
  bytesQuotaReached,
  notPdf,
  pathIsTaken,
  ticketUsed,
  uploadBrokenOff,
  uploadIsEmpty,
  uploadNotFound,
  uploadTooLarge,
} from '../model/errors.ts'
import { DOCUMENTS_FOLDER } from '../model/files-store.ts'
import type { PublicationsTables, UploadRow } from '../model/tables.ts'
import type { UploadedFile, UploadsStore } from '../model/uploads-store.ts'
import type { PreparedDocuments } from '../rendering/prepared-documents.ts'
import type { Renderer } from '../rendering/threads/renderer.ts'
import type { SourceReader } from '../sources/source-reader.ts'
import type { LocalDocuments } from './local-documents.ts'
import { sourceTypeOf, type Uploaded } from './schemas.ts'

/**
 * Stores the body of an upload, streamed and checked on its way, and marks its ticket as used. The file is stored under
 * its key before the database refers to it; a crash in between leaves a file that the sweep removes.
 * @throws errors of `createFileCheck`; sourceRefused; bodyTooSlow; ticketUsed, pathIsTaken or uploadNotFound if another
 * request was faster; uploadBrokenOff if the client has disconnected
 */
export async function storeUpload(deps: DocumentsDeps, request: IncomingMessage, ticket: UploadRow): Promise<Uploaded> {
  const announced = Number(request.headers['content-length'] ?? 1)
  if (!(await deps.uploads.hasRoom(ticket.workspace_id, announced))) throw bytesQuotaReached()
  const { file, receivedBytes } =
    sourceTypeOf(ticket.path) === 'images' ? await storeImages(deps, request) : await storePdf(deps, request)
  await acknowledge(deps, request.socket, ticket, file)
  const { storage_key, workspace_id, path } = ticket
  deps.preparedDocuments.begin(file.blobKey, workspace_id)
  return {
    storageKey: storage_key,
    pdfPath: `${workspace_id}/${path}`,
    workspaceId: workspace_id,
    size: receivedBytes,
  }
}

/**
 * Stores a file that arrived in several requests, with the checks of one that arrives at once, and marks its ticket as
 * used. Its partial bytes stay; the caller removes them.
 * @param sha256 hash of a file that was checked while it arrived; undefined for one that is still to be read
 * @throws as `storeUpload`; PartialLostError
 */
export async function storePartial(
  deps: DocumentsDeps,
  ticket: UploadRow,
  partial: PartialBlob,
  sha256: string | undefined,
): Promise<void> {
  if (partial.size === 0) throw uploadIsEmpty()
  const assembled = await deps.blobs.partials.assemble(partial)
  const file =
    sourceTypeOf(ticket.path) === 'images'
      ? await storePages(deps, async (path) => writeFile(path, await assembled.read()))
      : await commitPdf(assembled, { size: partial.size, sha256 })
  await acknowledge(deps, undefined, ticket, file)
  deps.preparedDocuments.begin(file.blobKey, ticket.workspace_id)
}

async function commitPdf(
  assembled: AssembledBlob,
  { size, sha256 }: { size: number; sha256: string | undefined },
): Promise<UploadedFile> {
  const known = sha256 ?? (await readPdf(await assembled.read()))
  const blobKey = newBlobKey()
  await assembled.commit(blobKey)
  return { blobKey, size, sha256: known }
}

/** Returns the hash of a PDF. @throws notPdf */
async function readPdf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const header = createHeaderCheck()
  const hash = createHash('sha256')
  for await (const piece of bytes) {
    header.add(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength))
    hash.update(piece)
  }
  header.end()
  return hash.digest('hex')
}

/** A stored file, and the size of the body that brought it. */
type Stored = { file: UploadedFile; receivedBytes: number }

async function storePdf({ blobs, maxUploadBytes }: DocumentsDeps, request: IncomingMessage): Promise<Stored> {
  const { received, result: draft } = await receive(request, maxUploadBytes, createHeaderCheck(), (bytes) =>
    blobs.draft(bytes),
  )
  await using kept = draft
  const blobKey = newBlobKey()
  await kept.commit(blobKey)
  return { file: { blobKey, ...received }, receivedBytes: received.size }
}

async function storeImages(deps: DocumentsDeps, request: IncomingMessage): Promise<Stored> {
  let receivedBytes = 0
  const file = await storePages(deps, async (path) => {
    const { received } = await receive(request, deps.maxUploadBytes, undefined, (bytes) => writeFile(path, bytes))
    receivedBytes = received.size
  })
  return { file, receivedBytes }
}

/**
 * Stores the PDF that is made of pages, which `receive` writes to a file. A crash leaves files that the next process
 * removes.
 */
async function storePages(
  { blobs, localDocuments, sourceReader, maxUploadBytes, maxPages }: DocumentsDeps,
  receive: (path: string) => Promise<void>,
): Promise<UploadedFile> {
  await using source = await localDocuments.scratchFile()
  await using target = await localDocuments.scratchFile()
  await receive(source.path)
  const made = await sourceReader.makePdf({
    source: source.path,
    target: target.path,
    maxPages,
    maxBytes: maxUploadBytes,
  })
  await using draft = await blobs.draft(createReadStream(target.path))
  const blobKey = newBlobKey()
  await draft.commit(blobKey)
  return { blobKey, ...made }
}

/** Writes bytes to a file, one piece after the other: the memory of a piece is used again. */
async function writeFile(path: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  await using file = await open(path, 'w', 0o600)
  for await (const piece of bytes) await file.writeFile(piece)
}

/** Receives a body, checked on its way, and gives its bytes to `store`. */
async function receive<Result>(
  request: IncomingMessage,
  limitBytes: number,
  header: HeaderCheck | undefined,
  store: (bytes: AsyncGenerator<Buffer, void, void>) => Promise<Result>,
): Promise<{ received: { size: number; sha256: string }; result: Result }> {
  const { check, file } = createFileCheck(limitBytes, header)
  const result = await storeArriving(request, uploadBrokenOff, (pieces) => store(check(pieces)))
  return { received: file(), result }
}

function newBlobKey(): string {
  return `${DOCUMENTS_FOLDER}${randomUUID()}.pdf`
}

async function acknowledge(
  { blobs, uploads, now, logger }: DocumentsDeps,
  socket: Socket | undefined,
  ticket: UploadRow,
  file: UploadedFile,
) {
  // A client that can no longer be answered, such as one whose body was longer than its Content-Length, has to try
  // again, unless it can ask what became of its file. If acknowledging fails, its outcome is unknown, so the file has
  // to stay until the sweep finds out.
  const isHeard = socket === undefined || socket.writable
  const outcome = isHeard ? await uploads.acknowledge(ticket.storage_key, file, now()) : 'unheard'
  if (outcome === 'stored') return
  await blobs
    .delete(file.blobKey)
    .catch((err) => logger.warn({ err }, 'an unneeded file could not be deleted; the sweep will remove it'))
  if (outcome === 'unheard') throw uploadBrokenOff()
  if (outcome === 'used') throw ticketUsed()
  if (outcome === 'no room') throw bytesQuotaReached()
  throw outcome === 'path taken' ? pathIsTaken() : uploadNotFound()
}

/**
 * Counts and hashes a body, and checks its beginning, while it is read, without keeping it. Reading stops at the first
 * error and leaves the rest of the body unread. It throws uploadTooLarge, notPdf of a header check as early as
 * possible, and uploadIsEmpty.
 */
function createFileCheck(limitBytes: number, header: HeaderCheck | undefined) {
  const hash = createHash('sha256')
  let size = 0
  return {
    /** Passes on the pieces of the body. */
    async *check(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, void> {
      for await (const piece of pieces) {
        size += piece.length
        if (size > limitBytes) throw tooLarge(limitBytes)
        header?.add(piece)
        hash.update(piece)
        yield piece
      }
      if (size === 0) throw uploadIsEmpty()
      header?.end()
    },
    /** Returns the size and hash of the body, once all pieces have been read. */
    file: () => ({ size, sha256: hash.digest('hex') }),
  }
}

/** Creates the error of a file that is too large, with the limit. */
export function tooLarge(limitBytes: number) {
  return uploadTooLarge({ detail: `The file is larger than ${limitBytes} bytes, the maximum on this server.` })
}

type HeaderCheck = ReturnType<typeof createHeaderCheck>

/** Makes a check that the beginning of a file is that of a PDF. Its methods throw notPdf. */
export function createHeaderCheck() {
  let beginning: Buffer = Buffer.alloc(0)
  let isFound = false

  return {
    add(piece: Buffer): void {
      if (isFound) return
      beginning = Buffer.concat([beginning, piece.subarray(0, PDF_HEADER_WITHIN_BYTES - beginning.length)])
      isFound = hasPdfHeader(beginning)
      if (!isFound && beginning.length === PDF_HEADER_WITHIN_BYTES) throw otherThanPdf(beginning)
    },
    end(): void {
      if (!isFound) throw otherThanPdf(beginning)
    },
  }
}

/** Creates the error of a file without the header of a PDF. Pictures are often saved under the name of a document. */
function otherThanPdf(beginning: Uint8Array) {
  const format = pictureFormat(beginning)
  if (format === undefined) return notPdf()
  const detail = `The file is not a PDF but an image (${format}). Ask for an address to upload it to with "type": "images".`
  return notPdf({ detail, members: { reason: 'is_picture' } })
}

/** Readers look for the header of a PDF in this many bytes (ISO 32000-1, Annex H, note 13). */
const PDF_HEADER_WITHIN_BYTES = 1024

const HEADER = Buffer.from('%PDF-', 'latin1')

/** Returns true if the whole header of a PDF is within the first 1,024 bytes of a file. */
function hasPdfHeader(beginning: Buffer): boolean {
  return beginning.subarray(0, PDF_HEADER_WITHIN_BYTES).includes(HEADER)
}

/** Parts that receiving, storing and inspecting of documents are built from. */
export type DocumentsDeps = {
  db: Kysely<PublicationsTables>
  blobs: BlobStore
  uploads: UploadsStore
  localDocuments: LocalDocuments
  renderer: Renderer
  sourceReader: SourceReader
  preparedDocuments: PreparedDocuments
  maxUploadBytes: number
  maxPages: number
  logger: Logger
  now: () => number
}
