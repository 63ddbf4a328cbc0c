import type { IncomingMessage } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { addressGroup } from '#platform/http/client.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { drainBody, requireWholeFile } from '#platform/http/request-body.ts'
import {
  addressExpired,
  addressForged,
  bytesQuotaReached,
  notImagesType,
  notPdf,
  notPdfType,
  pathIsTaken,
  sourceRefused,
  ticketUsed,
  tooManyUploads,
  uploadBrokenOff,
  uploadInProgress,
  uploadIsEmpty,
  uploadNotFound,
  uploadTooLarge,
} from '../model/errors.ts'
import { FileBody, type SourceType, sourceTypeOf, Uploaded, UploadParams, UploadQuery } from './schemas.ts'
import type { DocumentsDeps } from './store-upload.ts'
import { storeUpload, tooLarge } from './store-upload.ts'
import type { UploadTickets } from './upload-tickets.ts'

type Deps = DocumentsDeps & { tickets: UploadTickets; uploadLimiter: UploadLimiter }

/** PUT /uploads/:storageKey. In a scope of its own, because it parses no bodies. */
export function uploadFile(app: HttpServer, deps: Deps) {
  const { tickets, uploadLimiter, renderer, maxUploadBytes } = deps
  leaveBodiesUnread(app)
  app.put(
    '/uploads/:storageKey',
    {
      schema: {
        operationId: 'uploadFile',
        summary: 'Upload a file',
        description: `Send the file to the \`uploadUrl\` of a ticket, unchanged; no key is needed. The body is the file itself, and
\`Content-Type\` says what it is. Of images, a PDF is made before the answer: JPEG pages stay as they are, without their metadata; a page
that cannot be read becomes a placeholder; a ComicInfo.xml gives title, language and reading direction. Only an upload that was answered with 200 uses up its ticket.`,
        tags: ['Uploads'],
        params: UploadParams,
        querystring: UploadQuery,
        consumes: [PDF_TYPE, ...IMAGE_TYPES],
        body: FileBody,
        problems: [
          addressForged,
          uploadNotFound,
          addressExpired,
          ticketUsed,
          pathIsTaken,
          uploadInProgress,
          tooManyUploads,
          bytesQuotaReached,
          notPdfType,
          notImagesType,
          uploadTooLarge,
          uploadIsEmpty,
          uploadBrokenOff,
          notPdf,
          sourceRefused,
        ],
        response: { 200: Uploaded },
      },
      // The body is checked while it arrives, and the signature covers the address.
      validatorCompiler: () => () => true,
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      try {
        const ticket = await tickets.open(request.raw.url!, request.params.storageKey)
        requireWholeFile(request.raw.headers, maxUploadBytes, () => tooLarge(maxUploadBytes))
        checkType(request.declaredType, sourceTypeOf(ticket.path))
        // A thread is ready to open the file by the time it has arrived and a publication is created from it.
        renderer.warm()
        const { storage_key: storageKey, workspace_id: workspaceId } = ticket
        return await uploadLimiter.run(request.raw, { storageKey, workspaceId, address: request.ip }, () =>
          storeUpload(deps, request.raw, ticket),
        )
      } catch (error) {
        await drainBody(request.raw, error)
        throw error
      }
    },
  )
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The Content-Type of a body that the framework does not parse. */
    declaredType?: string
  }
}

const PDF_TYPE = 'application/pdf'
const IMAGE_TYPES = [
  'application/zip',
  'application/vnd.comicbook+zip',
  'application/x-cbz',
  // Type of a ZIP file on Windows.
  'application/x-zip-compressed',
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/avif',
  'image/tiff',
]

/** Refuses a file of another type than its ticket is for. The content tells the type. */
function checkType(declaredType: string | undefined, source: SourceType | undefined): void {
  const type = declaredType?.split(';', 1)[0].trim().toLowerCase() ?? ''
  if (source === 'images' && !IMAGE_TYPES.includes(type)) throw notImagesType()
  if (source !== 'images' && type !== PDF_TYPE) throw notPdfType()
}

/** Keeps the framework from refusing a body by its type before the route has checked the ticket. */
function leaveBodiesUnread(app: HttpServer): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _body, done) => done(null))
  app.decorateRequest('declaredType', undefined)
  app.addHook('onRequest', (request, _reply, done) => {
    request.declaredType = request.raw.headers['content-type']
    delete request.raw.headers['content-type']
    done()
  })
}

/**
 * Uploads at once of one workspace and from one address: more than people and
 * programs start, far fewer than connections.
 */
const MAX_PER_WORKSPACE = 64
const MAX_PER_ADDRESS = 32
/**
 * Time without a byte after which an upload gives way to another one with its ticket: a phone that changed networks.
 */
const SILENT_MS = 2_000

type Place = { workspaceId: string; storageKey: string; address: string }

/**
 * Uploads in progress of this instance. Each ticket has one at a time. Between instances, the acknowledgement decides.
 */
export class UploadLimiter {
  readonly #requests = new Map<string, IncomingMessage>()
  readonly #counts = new Map<string, number>()

  /**
   * Runs an upload.
   * @throws uploadInProgress if another one with the ticket is under way, unless its connection is silent;
   * tooManyUploads
   */
  async run<Result>(request: IncomingMessage, place: Place, upload: () => Promise<Result>): Promise<Result> {
    await this.#takeTicket(request, place.storageKey)
    try {
      return await this.count(place, upload)
    } finally {
      if (this.#requests.get(place.storageKey) === request) this.#requests.delete(place.storageKey)
    }
  }

  /** Runs an upload whose ticket may have several at a time. @throws tooManyUploads */
  async count<Result>({ workspaceId, address }: Place, upload: () => Promise<Result>): Promise<Result> {
    const callers = [`workspace ${workspaceId}`, `address ${addressGroup(address)}`]
    const limits = [MAX_PER_WORKSPACE, MAX_PER_ADDRESS]
    if (callers.some((caller, i) => this.#count(caller) >= limits[i]))
      throw tooManyUploads({ retryAfterSec: RETRY_AFTER_SEC })
    for (const caller of callers) this.#counts.set(caller, this.#count(caller) + 1)
    return await upload().finally(() => {
      for (const caller of callers) this.#release(caller)
    })
  }

  async #takeTicket(request: IncomingMessage, storageKey: string): Promise<void> {
    const first = this.#requests.get(storageKey)
    if (first !== undefined) {
      const [isFirstSilent, isSilent] = await Promise.all([hasFallenSilent(first), hasFallenSilent(request)])
      const present = this.#requests.get(storageKey)
      // An upload that is silent itself takes nobody's turn. Of several that wait, one continues.
      const mayContinue = present === undefined || (present === first && isFirstSilent && !isSilent)
      if (!mayContinue) throw uploadInProgress({ retryAfterSec: RETRY_AFTER_SEC })
      if (present === first) first.socket.destroy()
    }
    this.#requests.set(storageKey, request)
  }

  #count(caller: string): number {
    return this.#counts.get(caller) ?? 0
  }

  #release(caller: string): void {
    const left = this.#count(caller) - 1
    if (left > 0) this.#counts.set(caller, left)
    else this.#counts.delete(caller)
  }
}

/** Value of `Retry-After` for an upload that is refused because of others. */
const RETRY_AFTER_SEC = 5

/**
 * Returns whether an upload's connection is closed, or brings no byte for a while although the body is not complete.
 */
async function hasFallenSilent(request: IncomingMessage): Promise<boolean> {
  const { socket } = request
  if (socket.destroyed) return true
  if (request.complete) return false
  const before = socket.bytesRead
  const closed = Promise.withResolvers<void>()
  socket.once('close', closed.resolve)
  await Promise.race([wait(SILENT_MS), closed.promise])
  socket.off('close', closed.resolve)
  // Whole bodies and full buffers wait for this server.
  const isHere = request.complete || request.readableLength >= request.readableHighWaterMark
  return socket.destroyed || (!isHere && socket.bytesRead === before)
}
