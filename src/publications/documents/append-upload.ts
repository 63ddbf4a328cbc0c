import { createHash, randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { AppError } from '#platform/basics/errors.ts'
import { isBlobsUnavailable } from '#platform/blobs/blob-failure.ts'
import { PartialLostError } from '#platform/blobs/partial-blobs.ts'
import { arrivingPieces, endWatch, watchSpeed } from '#platform/http/body-limits.ts'
import {
  bytesQuotaReached,
  checksumMismatch,
  uploadBrokenOff,
  uploadIsEmpty,
  uploadReplaced,
  wrongOffset,
} from '../model/errors.ts'
import type { UploadRow } from '../model/tables.ts'
import type { BegunAppend, UploadWriter } from '../model/uploads-store.ts'
import { sourceTypeOf } from './schemas.ts'
import type { DocumentsDeps } from './store-upload.ts'
import { createHeaderCheck, storePartial, tooLarge } from './store-upload.ts'
import { type Append, beyondLength } from './tus.ts'

/** An interrupted upload goes on for this long after its beginning. The sweep removes its bytes as late as that. */
const RESUMABLE_MS = 24 * 3_600_000

/** A request of this process that appends. */
type Writer = {
  request: IncomingMessage
  /** Set while the complete file is checked and stored. */
  isFinishing: boolean
  replace(): void
  syncNow(): Promise<void>
  ended: Promise<void>
}

/**
 * Uploads that arrive in several requests, on any instance. The row of the ticket has the number of synced bytes and
 * the request that writes; a newer request replaces it there, and nothing that the older one writes counts any more.
 */
export class AppendedUploads {
  readonly #deps: DocumentsDeps
  readonly #writers = new Map<string, Writer>()
  readonly #finishing = new Map<string, Promise<unknown>>()

  constructor(deps: DocumentsDeps) {
    this.#deps = deps
  }

  /** Waits for a request that is about to end, because its file is complete or its connection is lost. */
  async settle(storageKey: string): Promise<void> {
    const writer = this.#writers.get(storageKey)
    if (writer?.isFinishing || writer?.request.socket.destroyed) await writer.ended
  }

  /** Lets a request of this process store what it has received, so that no byte of it is sent again. */
  async sync(storageKey: string): Promise<void> {
    const writer = this.#writers.get(storageKey)
    if (writer !== undefined) await Promise.race([writer.syncNow(), writer.ended])
    await this.settle(storageKey)
  }

  /**
   * Appends the body of a request to its upload, and stores the file once it is complete.
   * @returns the number of synced bytes
   * @throws wrongOffset, uploadReplaced, checksumMismatch, uploadBrokenOff, bodyTooSlow, and as `storePartial`
   */
  async append(request: IncomingMessage, ticket: UploadRow, append: Append): Promise<number> {
    const { uploads, now } = this.#deps
    const { offset, length } = append
    const announced = length ?? offset + Number(request.headers['content-length'] ?? 1)
    if (!(await uploads.hasRoom(ticket.workspace_id, announced))) throw bytesQuotaReached()
    const identity = { storageKey: ticket.storage_key, writer: randomUUID() }
    const begun = await uploads.beginAppend(identity, { offset, length, resumableUntilMs: now() + RESUMABLE_MS })
    if (begun === undefined) throw wrongOffset()
    const ended = Promise.withResolvers<void>()
    const replaced = Promise.withResolvers<never>()
    replaced.promise.catch(() => {})
    const replace = () => replaced.reject(uploadReplaced())
    const writer: Writer = { request, isFinishing: false, replace, syncNow: async () => {}, ended: ended.promise }
    this.#writers.get(ticket.storage_key)?.replace()
    this.#writers.set(ticket.storage_key, writer)
    try {
      return await this.#write(writer, { identity, ticket, append, replaced, begun })
    } finally {
      if (this.#writers.get(ticket.storage_key) === writer) this.#writers.delete(ticket.storage_key)
      ended.resolve()
    }
  }

  /** Stores a file that is complete: what a process that ended at this moment, or could not, has left to do. */
  async finish(request: IncomingMessage, ticket: UploadRow): Promise<void> {
    const key = ticket.storage_key
    const append = { offset: ticket.upload_offset!, length: ticket.upload_length!, checksum: undefined }
    const finishing =
      this.#finishing.get(key) ??
      this.append(request, ticket, append).finally(() => {
        this.#finishing.delete(key)
      })
    this.#finishing.set(key, finishing)
    await finishing
  }

  async #write(writer: Writer, { identity, ticket, append, replaced, begun }: Begun): Promise<number> {
    const { uploads, blobs, logger } = this.#deps
    let partial = begun.partial
    let isOver = false
    let isInOrder = true
    try {
      const body = this.#check(writer.request, ticket, { ...append, length: begun.length }, replaced)
      partial = await blobs.partials
        .append(partial, body.bytes, {
          isTakenOver: begun.isTakenOver,
          record: async (synced) => {
            if (!(await uploads.recordAppend(identity, synced))) throw uploadReplaced()
            partial = synced
          },
          onOpen: (syncNow) => {
            writer.syncNow = syncNow
          },
          ...(append.checksum && { verify: body.verify }),
        })
        .finally(body.end)
      if (partial.size !== begun.length) return partial.size
      writer.isFinishing = true
      // The file is complete. What follows may take long, and the connection is not idle meanwhile.
      writer.request.socket.setTimeout(0)
      await storePartial(this.#deps, ticket, partial, body.sha256())
      isOver = true
      return partial.size
    } catch (error) {
      isOver = error instanceof PartialLostError || isRefusal(error)
      isInOrder = !isBlobsUnavailable(error)
      throw error instanceof PartialLostError ? wrongOffset({ cause: error }) : error
    } finally {
      // After a failure of the store, a request to it may still be under way: the next writer is told so.
      if (isInOrder) await uploads.endAppend(identity, isOver)
      if (isOver && partial !== undefined)
        await blobs.partials
          .remove(partial)
          .catch((err) => logger.warn({ err }, 'unneeded bytes could not be deleted; the sweep will remove them'))
    }
  }

  /** Checks a body as it arrives. @throws uploadTooLarge, notPdf as early as possible; uploadBrokenOff */
  #check(
    request: IncomingMessage,
    ticket: UploadRow,
    { offset, length, checksum }: Append,
    refused: PromiseWithResolvers<never>,
  ) {
    const { maxUploadBytes } = this.#deps
    const limit = length ?? maxUploadBytes
    const isFirst = offset === 0
    const header = isFirst && sourceTypeOf(ticket.path) === 'pdf' ? createHeaderCheck() : undefined
    const hash = isFirst ? createHash('sha256') : undefined
    const watch = watchSpeed(request, refused.reject)
    let size = offset

    async function* bytes(): AsyncGenerator<Buffer, void, void> {
      for await (const piece of arrivingPieces(request, refused.promise, uploadBrokenOff)) {
        size += piece.length
        if (size > limit) throw length === undefined ? tooLarge(limit) : beyondLength(size, limit)
        header?.add(piece)
        hash?.update(piece)
        checksum?.add(piece)
        yield piece
      }
      if (limit === 0) throw uploadIsEmpty()
      if (size === limit) header?.end()
    }

    return {
      bytes: bytes(),
      verify() {
        if (!checksum!.isRight()) throw checksumMismatch()
      },
      end: () => endWatch(watch),
      /** Returns the hash of a file that has arrived as a whole. */
      sha256: () => hash?.digest('hex'),
    }
  }
}

type Begun = {
  identity: UploadWriter
  ticket: UploadRow
  append: Append
  replaced: PromiseWithResolvers<never>
  begun: BegunAppend
}

/** Tells whether a file will not be accepted however often it is sent. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof AppError &&
    (error.status === 413 || error.status === 422 || error.message === uploadIsEmpty.message)
  )
}
