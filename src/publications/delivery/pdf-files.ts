import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { notFound, RETRY_SOON_SEC, rateLimited, unavailable } from '#platform/basics/errors.ts'
import type { BlobRange } from '#platform/blobs/blob-store.ts'
import { workClient } from '#platform/http/client.ts'
import { contentDisposition } from '#platform/http/content-disposition.ts'
import { type HttpServer, noContent, streamed } from '#platform/http/http-server.ts'
import { limitedFiles } from '#platform/http/limited-files.ts'
import { sendBlob } from '#platform/http/ranges.ts'
import { WorkQueue } from '#platform/jobs/work-queue.ts'
import type { DocumentFacts, PageComment } from '../model/document-content.ts'
import {
  downloadNotAllowed,
  publicationNotFound,
  publicationUnpublished,
  readerPasswordRequired,
} from '../model/errors.ts'
import { getPublishedFile, type VersionFile, wholePdf } from '../model/files-store.ts'
import { getShownPublication, type ShownPublication } from '../model/public-page-store.ts'
import { type Opened, privacyHeaders, requireDownload, requireReadable } from '../model/reading.ts'
import { SlugParams } from '../model/schemas.ts'
import { isStop, PdfError } from '../rendering/pdfium/pdf-error.ts'
import type { FileUse } from './addresses.ts'
import type { DeliveryDeps } from './delivery-deps.ts'

const PdfUrl = Type.Object(
  {
    url: Type.String({
      format: 'uri',
      description:
        'Signed address of the PDF, valid for one hour, or at most ten minutes unless the publication is public. It supports Range.',
      examples: [
        'https://example.org/files/2b0d6c1e-8a0f-4b52-9f6e-6a1f6a3c1d70?epoch=1&as=inline&expires=1777809300000&key=q83v&signature=uPyX',
      ],
    }),
  },
  { title: 'PdfUrl' },
)

const DOWNLOAD_PROBLEMS = [
  publicationNotFound,
  publicationUnpublished,
  readerPasswordRequired,
  downloadNotAllowed,
  rateLimited,
]

/** Returns the file of the publication that a request names. @throws DOWNLOAD_PROBLEMS */
async function downloadedFile(
  { files, readerLinks }: DeliveryDeps,
  request: FastifyRequest<{ Params: { slug: string } }>,
): Promise<VersionFile & Opened> {
  const file = await getPublishedFile(files, request.params.slug, await readerLinks.of(request))
  requireDownload({ ...file.rules, ...file })
  return file
}

/** GET /publications/:slug/pdf */
export function getPdfUrl(app: HttpServer, deps: DeliveryDeps) {
  app.get(
    '/publications/:slug/pdf',
    {
      schema: {
        operationId: 'getPublicationPdfUrl',
        summary: 'Get the address of the PDF',
        description: `Returns a signed address, which needs no key and can be used any number of times within an hour. It stops working
when the publication is unpublished. The file is available as soon as the publication is created.`,
        tags: ['Publications'],
        params: SlugParams,
        problems: DOWNLOAD_PROBLEMS,
        response: { 200: PdfUrl },
      },
    },
    async (request, reply) => {
      const file = await downloadedFile(deps, request)
      reply.header('cache-control', 'no-store')
      return { url: deps.fileAddresses.issue(file, 'inline') }
    },
  )
}

/** GET /publications/:slug/download */
export function downloadPdf(app: HttpServer, deps: DeliveryDeps) {
  app.get(
    '/publications/:slug/download',
    {
      schema: {
        operationId: 'downloadPublicationPdf',
        summary: 'Download the PDF',
        description: `A permanent address for links. It redirects to the file, which a browser saves under the publication's title.
The target is signed, and valid for one hour.`,
        tags: ['Publications'],
        params: SlugParams,
        problems: DOWNLOAD_PROBLEMS,
        response: { 302: noContent('Redirects to the file.') },
      },
    },
    async (request, reply) => {
      const file = await downloadedFile(deps, request)
      if (file.isPreview !== true) deps.figureCounter.countDownload(file, request)
      reply.header('cache-control', 'no-store')
      return reply.redirect(deps.fileAddresses.issue(file, 'attachment'), 302)
    },
  )
}

/** Attached files being taken out and sent: each is in memory as a whole. */
const EXTRACTING = { running: 1, waiting: 32, waitingPerCaller: 8 }
const SENT_AT_ONCE = { total: 4, perCaller: 2 }

const AttachmentParams = Type.Object({
  ...SlugParams.properties,
  id: Type.String({
    pattern: '^([1-9][0-9]{0,3}-)?[1-9][0-9]{0,2}$',
    description: 'From `attachments` of the publication, or from a comment of a page.',
    examples: ['1'],
  }),
})

/** GET /publications/:slug/attachments/:id */
export function getAttachment(app: HttpServer, deps: DeliveryDeps) {
  const { publicPages, files, readerLinks, renderer, localDocuments } = deps
  const extracting = new WorkQueue<Uint8Array | undefined>(EXTRACTING)
  const sendFile = limitedFiles(SENT_AT_ONCE, 'attached files')

  async function extract(blobKey: string, id: string): Promise<Uint8Array | undefined> {
    await using document = await localDocuments.localDocument(blobKey)
    return await renderer.attachedFile(document.path, id)
  }

  app.get(
    '/publications/:slug/attachments/:id',
    {
      schema: {
        operationId: 'getPublicationAttachment',
        summary: 'Download an attached file',
        description: `Returns a file that is attached to the PDF or to one of its pages, always as a download of unknown type: nobody has
checked it. A file of more than 32 MiB is available in the PDF only.`,
        tags: ['Publications'],
        params: AttachmentParams,
        produces: ['application/octet-stream'],
        problems: [
          publicationNotFound,
          notFound,
          publicationUnpublished,
          readerPasswordRequired,
          downloadNotAllowed,
          rateLimited,
          unavailable,
        ],
        response: { 200: streamed(Type.String({ description: 'The file.' })) },
      },
      serializerCompiler: () => JSON.stringify,
    },
    async (request, reply) => {
      const { slug, id } = request.params
      const publication = await getShownPublication(publicPages, slug, await readerLinks.of(request))
      requireDownload(publication)
      const name = await attachedName(deps, publication, id)
      const file = await files.findByVersion(publication.version_id)
      const client = workClient(request, reply)
      const key = `${publication.version_id} ${id}`
      const isWanted = name !== undefined && file !== undefined
      const bytes = isWanted
        ? await extracting.do(key, client, () => extract(file.blobKey, id)).catch(withoutFile)
        : undefined
      if (bytes === undefined)
        throw notFound({ detail: 'There is no such file, or it cannot be taken out of the PDF.' })
      return sendFile(reply.headers({ ...ATTACHED, ...privacyHeaders(publication) }), {
        caller: client.caller,
        contentType: 'application/octet-stream',
        ...fileName(name!),
        open: () => Readable.from([bytes]),
      })
    },
  )
}

const ATTACHED = { 'cache-control': 'no-store', 'content-security-policy': "default-src 'none'; sandbox" }

/** Returns the name of a file as it is listed; undefined for a file that is not. */
async function attachedName(
  { publicPages }: DeliveryDeps,
  { facts, version_id }: ShownPublication,
  id: string,
): Promise<string | undefined> {
  if (!id.includes('-')) return (JSON.parse(facts) as DocumentFacts).attachments?.find((file) => file.id === id)?.name
  const page = await publicPages.page(version_id, Number(id.split('-')[0]))
  const comments = JSON.parse(page?.comments ?? '[]') as PageComment[]
  return comments.find(({ file }) => file?.id === id)?.file?.name
}

/** Divides a name such as `figures.csv`. */
function fileName(name: string): { stem: string; extension: string } {
  const [, stem, extension] = /^(.*)\.([A-Za-z0-9]{1,10})$/s.exec(name) ?? []
  return { stem: stem ?? name, extension: extension ?? 'bin' }
}

/** A file that the engine cannot take out is none. @throws unavailable */
function withoutFile(error: unknown): undefined {
  if (!(error instanceof PdfError)) throw error
  if (isStop(error.code)) throw unavailable({ retryAfterSec: RETRY_SOON_SEC })
}

/** GET /files/:versionId with the signature that `getPdfUrl` and `downloadPdf` issue. */
export function sendFile(app: HttpServer, { files, readerLinks, fileAddresses, blobs }: DeliveryDeps) {
  app.get(
    '/files/:versionId',
    { schema: { hide: true, params: Type.Object({ versionId: Type.String() }) } },
    async (request, reply) => {
      // Viewers on other sites may read the file and its failures: the address grants access, cookies are ignored.
      reply.raw.setHeader('access-control-allow-origin', '*')
      const { epoch, use, linkId } = fileAddresses.open(request.method, request.raw.url!)
      const file = await files.findForReaders(request.params.versionId)
      if (file === undefined) throw publicationNotFound()
      const opened = await requireReadable(file.publicationId, file.rules, await readerLinks.holding(linkId))
      requireDownload({ ...file.rules, ...opened })
      if (file.epoch !== epoch) throw publicationUnpublished()
      const { read, ...pdf } = wholePdf(blobs, file)
      const store = { head: blobs.head.bind(blobs), read: (_key: string, range?: BlobRange) => read(range) }
      const sent = { key: file.blobKey, ...pdf, headers: headersOf({ ...file, ...opened }, use) }
      return await sendBlob(request, reply, store, sent)
    },
  )
}

/**
 * Keeps an uploaded file on our host from loading or running anything. Chrome lays out its PDF viewer with inline
 * styles, under the policy of the file itself, and shows nothing in a sandbox; so only downloads are sandboxed.
 */
const CONTENT_SECURITY_POLICY: Record<FileUse, string> = {
  inline: "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
  attachment: "default-src 'none'; sandbox",
}

function headersOf({ title, ...opened }: VersionFile & Opened, use: FileUse): Record<string, string> {
  return {
    'content-type': 'application/pdf',
    'content-disposition': contentDisposition(use, title, 'pdf'),
    'content-security-policy': CONTENT_SECURITY_POLICY[use],
    // A browser may keep the file and revalidates it before showing it again: it may have been unpublished.
    'cache-control': 'private, no-cache',
    // Links in the file must not reveal its address.
    'referrer-policy': 'no-referrer',
    'access-control-expose-headers': 'Accept-Ranges, Content-Disposition, Content-Length, Content-Range, ETag',
    'cross-origin-resource-policy': 'cross-origin',
    'x-robots-tag': 'noindex',
    ...privacyHeaders(opened),
  }
}
