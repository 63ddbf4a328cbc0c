import { type HttpServer, noContent } from '#platform/http/http-server.ts'
import { drainBody } from '#platform/http/request-body.ts'
import {
  addressExpired,
  addressForged,
  bytesQuotaReached,
  checksumMismatch,
  notOffsetType,
  notPdf,
  pathIsTaken,
  sourceRefused,
  ticketUsed,
  tooManyUploads,
  tusVersionUnknown,
  uploadBrokenOff,
  uploadIsEmpty,
  uploadNotFound,
  uploadReplaced,
  uploadTooLarge,
  wrongOffset,
} from '../model/errors.ts'
import type { UploadRow } from '../model/tables.ts'
import type { AppendedUploads } from './append-upload.ts'
import { FileBody, TusAppend, UploadParams, UploadQuery } from './schemas.ts'
import type { DocumentsDeps } from './store-upload.ts'
import { OFFSET_TYPE, readAppend, requireTus, TUS_RESUMABLE, uploadState } from './tus.ts'
import type { UploadLimiter } from './upload-file.ts'
import type { UploadTickets } from './upload-tickets.ts'

type Deps = DocumentsDeps & {
  tickets: UploadTickets
  uploadLimiter: UploadLimiter
  appendedUploads: AppendedUploads
}

/** HEAD and PATCH /uploads/:storageKey: an upload that can be resumed, beside the PUT of `uploadFile`, in its scope. */
export function resumeUpload(app: HttpServer, deps: Deps) {
  getUploadState(app, deps)
  appendToUpload(app, deps)
}

function getUploadState(app: HttpServer, { tickets, uploadLimiter, appendedUploads }: Deps) {
  app.head(
    '/uploads/:storageKey',
    {
      // OpenAPI documents here have no HEAD; the PATCH describes it.
      schema: { hide: true, params: UploadParams },
      validatorCompiler: () => () => true,
    },
    async (request, reply) => {
      reply.headers({ ...TUS_RESUMABLE, 'cache-control': 'no-store' })
      requireTus(request.raw.headers)
      const { storageKey } = request.params
      const open = () => tickets.openResumable(request.raw.url!, storageKey)
      await appendedUploads.sync(storageKey)
      let ticket = await open()
      if (isComplete(ticket)) {
        const place = { storageKey, workspaceId: ticket.workspace_id, address: request.ip }
        await uploadLimiter.count(place, () => appendedUploads.finish(request.raw, ticket))
        ticket = await open()
      }
      return await reply.code(200).headers(uploadState(ticket)).send()
    },
  )
}

function appendToUpload(
  app: HttpServer,
  { tickets, uploads, uploadLimiter, appendedUploads, renderer, maxUploadBytes }: Deps,
) {
  app.patch(
    '/uploads/:storageKey',
    {
      schema: {
        operationId: 'uploadFilePart',
        summary: 'Upload a part of a file',
        description: `Uploads a file in one or several requests by tus 1.0.0, with the extensions expiration and checksum; the ticket takes
the place of a creation. \`HEAD\` at the same address answers with \`Upload-Offset\`, the bytes that are synced, and with \`Upload-Length\`, or \`Upload-Defer-Length: 1\` until
it is known; both are equal once the file is stored. \`OPTIONS\` names the limits. What arrived before an interruption stays for 24 hours, and any instance continues it. Of several
requests at a time, the newest goes on. The complete file is checked as by PUT.`,
        tags: ['Uploads'],
        params: UploadParams,
        querystring: UploadQuery,
        headers: TusAppend,
        consumes: [OFFSET_TYPE],
        body: FileBody,
        problems: [
          tusVersionUnknown,
          addressForged,
          uploadNotFound,
          addressExpired,
          pathIsTaken,
          bytesQuotaReached,
          tooManyUploads,
          uploadTooLarge,
          uploadIsEmpty,
          notPdf,
          sourceRefused,
          ticketUsed,
          wrongOffset,
          uploadReplaced,
          checksumMismatch,
          notOffsetType,
          uploadBrokenOff,
        ],
        response: { 204: noContent('The bytes are synced. `Upload-Offset` counts them.') },
      },
      validatorCompiler: () => () => true,
    },
    async (request, reply) => {
      reply.headers({ ...TUS_RESUMABLE, 'cache-control': 'no-store' })
      try {
        requireTus(request.raw.headers)
        const { storageKey } = request.params
        await appendedUploads.settle(storageKey)
        const ticket = await tickets.openResumable(request.raw.url!, storageKey)
        if (ticket.blob_key !== null) throw ticketUsed()
        const append = readAppend(request.raw.headers, request.declaredType, ticket, maxUploadBytes)
        renderer.warm()
        const place = { storageKey, workspaceId: ticket.workspace_id, address: request.ip }
        const offset = await uploadLimiter.count(place, () => appendedUploads.append(request.raw, ticket, append))
        const after = (await uploads.findByTicket(storageKey)) ?? ticket
        return await reply
          .code(204)
          .headers({ ...uploadState(after), 'upload-offset': String(offset) })
          .send()
      } catch (error) {
        await drainBody(request.raw, error)
        throw error
      }
    },
  )
}

/** Tells whether all bytes of a file are there, and the file is not stored yet. */
function isComplete({ blob_key, upload_offset, upload_length }: UploadRow): boolean {
  return blob_key === null && upload_length !== null && upload_offset === upload_length
}
