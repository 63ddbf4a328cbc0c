import type { IncomingHttpHeaders } from 'node:http'
import { badRequest, unsupportedMediaType } from '#platform/errors.ts'
import { drainBody } from '#platform/http/bodies/drain-body.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { tooLarge } from '../documents/checked-pdf.ts'
import {
  addressExpired,
  addressForged,
  bytesQuotaReached,
  notPdf,
  notPdfType,
  pathIsTaken,
  ticketUsed,
  tooManyUploads,
  uploadBrokenOff,
  uploadInProgress,
  uploadIsEmpty,
  uploadNotFound,
  uploadTooLarge,
} from '../errors.ts'
import type { Renderer } from '../rendering/threads/renderer.ts'
import { PdfBody, Uploaded, UploadParams, UploadQuery } from '../schemas/uploads.ts'
import type { StoreUpload } from './store-upload.ts'
import type { UploadTickets } from './upload-tickets.ts'
import type { UploadTurns } from './upload-turns.ts'

type Deps = {
  tickets: Pick<UploadTickets, 'open'>
  storeUpload: StoreUpload
  uploadTurns: UploadTurns
  renderer: Pick<Renderer, 'warm'>
  maxUploadBytes: number
}

/** PUT /uploads/:storageKey. In a scope of its own, because it parses no bodies. */
export function uploadFile(app: HttpServer, { tickets, storeUpload, uploadTurns, renderer, maxUploadBytes }: Deps) {
  leaveBodiesUnread(app)
  app.put(
    '/uploads/:storageKey',
    {
      schema: {
        operationId: 'uploadFile',
        summary: 'Upload a file',
        description: `Send the file to the \`uploadUrl\` of a ticket, unchanged; no key is needed. The body is the PDF itself, and
\`Content-Type\` is \`application/pdf\`. Only an upload that was answered with 200 uses up its ticket.`,
        tags: ['Uploads'],
        params: UploadParams,
        querystring: UploadQuery,
        consumes: ['application/pdf'],
        body: PdfBody,
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
          uploadTooLarge,
          uploadIsEmpty,
          uploadBrokenOff,
          notPdf,
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
        checkHead(request.raw.headers, request.declaredType, maxUploadBytes)
        // A thread is ready to open the file by the time it has arrived and a publication is created from it.
        renderer.warm()
        const { storage_key: storageKey, workspace_id: workspaceId } = ticket
        return await uploadTurns.run(request.raw, { storageKey, workspaceId, address: request.ip }, () =>
          storeUpload(request.raw, ticket),
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

/** Refuses what can be refused before any of the body has arrived. */
function checkHead(headers: IncomingHttpHeaders, declaredType: string | undefined, limitBytes: number): void {
  if (!/^application\/pdf[ \t]*(?:;|$)/i.test(declaredType ?? '')) throw notPdfType()
  if (!/^(?:identity)?$/i.test(headers['content-encoding'] ?? ''))
    throw unsupportedMediaType({ detail: 'Upload the file without Content-Encoding.' })
  if (Number(headers['content-length'] ?? 0) > limitBytes) throw tooLarge(limitBytes)
  // A part would be taken for the whole (RFC 9110, 14.5).
  if (headers['content-range'] !== undefined)
    throw badRequest({ detail: 'Upload the whole file, without Content-Range.' })
}
