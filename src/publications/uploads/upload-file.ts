import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { badRequest, unsupportedMediaType } from '#platform/errors.ts'
import { drainBody } from '#platform/http/bodies/drain-body.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { PublicationsDeps } from '../deps.ts'
import { tooLarge } from '../documents/checked-pdf.ts'
import {
  addressExpired,
  addressForged,
  notPdf,
  notPdfType,
  pathIsTaken,
  ticketUsed,
  uploadBrokenOff,
  uploadIsEmpty,
  uploadNotFound,
  uploadTooLarge,
} from '../errors.ts'
import { PdfBody, Uploaded, UploadParams } from '../schemas/uploads.ts'
import type { UploadRow } from '../storage/tables.ts'
import { storeUpload } from './store-upload.ts'

/** PUT /uploads/:storageKey. In a scope of its own, because it takes bodies of its own. */
export function uploadFile(app: HttpServer, deps: PublicationsDeps) {
  leaveBodiesUnread(app)
  app.put(
    '/uploads/:storageKey',
    {
      schema: {
        operationId: 'uploadFile',
        summary: 'Upload a file',
        description: `To the \`uploadUrl\` of a ticket as it is; no key is needed. The body is the PDF itself, and
\`Content-Type\` is \`application/pdf\`. A ticket is used up by an upload that was answered with 200, by nothing else.`,
        tags: ['Uploads'],
        params: UploadParams,
        consumes: ['application/pdf'],
        body: PdfBody,
        problems: [
          addressForged,
          uploadNotFound,
          addressExpired,
          ticketUsed,
          pathIsTaken,
          notPdfType,
          uploadTooLarge,
          uploadIsEmpty,
          uploadBrokenOff,
          notPdf,
        ],
        response: { 200: Uploaded },
      },
      // The body is looked at while it comes, and what is wrong with an address is said by its signature.
      validatorCompiler: () => () => true,
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      try {
        const ticket = await openTicket(request, deps)
        checkHead(request.raw.headers, request.declaredType, deps.maxUploadBytes)
        // By the time the file is here and a publication is made of it, a thread is ready to open it.
        deps.renderer.warm()
        return await storeUpload(request.raw, ticket, deps)
      } catch (error) {
        await drainBody(request.raw)
        throw error
      }
    },
  )
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The Content-Type of a body that the framework does not look at. */
    declaredType?: string
  }
}

/** The framework would refuse a body by its type before the route has looked at the ticket. */
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

/** The ticket that the address opens, judged at the time the request came: how long the upload takes is no matter. */
async function openTicket(
  request: FastifyRequest<{ Params: UploadParams }>,
  { uploads, signers, now }: PublicationsDeps,
): Promise<UploadRow> {
  const { result } = signers.upload.verify('PUT', request.raw.url!, now())
  if (result === 'forged') throw addressForged()
  if (result === 'expired') throw addressExpired()
  const ticket = await uploads.findByTicket(request.params.storageKey)
  if (ticket === undefined) throw uploadNotFound()
  if (ticket.blob_key !== null) throw ticketUsed()
  if ((await uploads.pathHolder(ticket.workspace_id, ticket.path)) !== undefined) throw pathIsTaken()
  return ticket
}

/** What can be refused before any of the body has come. */
function checkHead(headers: IncomingHttpHeaders, declaredType: string | undefined, limitBytes: number): void {
  if (!/^application\/pdf[ \t]*(?:;|$)/i.test(declaredType ?? '')) throw notPdfType()
  if (!/^(?:identity)?$/i.test(headers['content-encoding'] ?? ''))
    throw unsupportedMediaType({ detail: 'A file is uploaded as it is, without Content-Encoding.' })
  if (Number(headers['content-length'] ?? 0) > limitBytes) throw tooLarge(limitBytes)
  // A part would be taken for the whole (RFC 9110, 14.5).
  if (headers['content-range'] !== undefined)
    throw badRequest({ detail: 'A file is uploaded whole, without Content-Range.' })
}
