import { Readable } from 'node:stream'
import { setImmediate as letOthersRun } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import Type from 'typebox'
import { notFound, rateLimited } from '#platform/basics/errors.ts'
import { FOREVER, type HttpServer, streamed } from '#platform/http/http-server.ts'
import { limitedFiles } from '#platform/http/limited-files.ts'
import { writeArchive } from '#platform/http/zip-archive.ts'
import type { DeliveryDeps } from '../delivery/delivery-deps.ts'
import { openAddress } from '../delivery/get-page-image.ts'
import type { LibraryDeps } from '../library/library-deps.ts'
import { belowPublication, type PublicationDoor } from '../library/publication-doors.ts'
import type { DocumentFacts } from '../model/document-content.ts'
import {
  publicationNotFound,
  publicationNotRendered,
  publicationUnpublished,
  readerPasswordRequired,
} from '../model/errors.ts'
import { IMAGE_WIDTHS, imageSize } from '../model/image-forms.ts'
import { getShownPublication } from '../model/public-page-store.ts'
import { hasLastingAddresses, privacyHeaders } from '../model/reading.ts'
import { SlugParams } from '../model/schemas.ts'
import { imageInfo, onlineManifest, sizesOf, writeManifest } from './manifest.ts'
import { type OfflineDeps, offlineFolder } from './offline-folder.ts'

const OfflineQuery = Type.Object({
  base_url: Type.Optional(
    Type.String({
      format: 'uri',
      pattern: '^https?://',
      maxLength: 500,
      description:
        'Address at which the folder will be served. The folder then has a IIIF manifest of its own, and JPEG images for it.',
      examples: ['https://archive.example.org/annual-report'],
    }),
  ),
})

/** Folders at once, of all callers and of each: each reads every image of a publication. */
const OFFLINE_LIMITS = { total: 4, perCaller: 2 }

/** GET …/offline: a publication as a folder that opens without a server. */
export function exportOffline(app: HttpServer, door: PublicationDoor, deps: LibraryDeps & OfflineDeps): void {
  const sendFile = limitedFiles(OFFLINE_LIMITS, 'publications')
  const { path, common, find } = belowPublication(door, deps, 'offline')
  app.get(
    path,
    {
      schema: {
        operationId: door.operationId('exportPublication'),
        summary: 'Download a publication for offline reading',
        description: `Streams a ZIP archive with a folder of the publication: a page that browsers open without a server, with the
reader, images, text, search and the PDF. It needs no connection. The version that readers see is exported, also of a draft.`,
        ...common,
        querystring: OfflineQuery,
        produces: ['application/zip'],
        problems: [publicationNotFound, publicationNotRendered, rateLimited],
        response: { 200: streamed(Type.String({ description: 'The archive.' })) },
      },
      // The archive is written piece by piece; the schema describes it.
      serializerCompiler: () => JSON.stringify,
    },
    async (request, reply: FastifyReply) => {
      const { slug, title } = await find(request)
      const files = await offlineFolder(deps, slug, (request.query as { base_url?: string }).base_url)
      reply.header('cache-control', 'no-store')
      return sendFile(reply, {
        caller: request.workspaceId || request.operatorId,
        contentType: 'application/zip',
        stem: title,
        extension: 'zip',
        open: () => writeArchive(files),
      })
    },
  )
}

const API = 'https://example.org/publications/annual-report/iiif'

const Canvas = Type.Object(
  {
    id: Type.String({ format: 'uri', examples: [`${API}/canvas/1`] }),
    type: Type.Literal('Canvas', { examples: ['Canvas'] }),
  },
  { title: 'IiifCanvas', additionalProperties: true, description: 'A page, in the pixels of its largest image.' },
)

const Manifest = Type.Object(
  {
    '@context': Type.String({ examples: ['http://iiif.io/api/presentation/3/context.json'] }),
    id: Type.String({ format: 'uri', examples: [`${API}/manifest.json`] }),
    type: Type.Literal('Manifest', { examples: ['Manifest'] }),
    items: Type.Array(Canvas, { description: 'One canvas per page.' }),
  },
  { title: 'IiifManifest', additionalProperties: true },
)

/** GET /publications/:slug/iiif/manifest.json */
export function getManifest(app: HttpServer, deps: DeliveryDeps): void {
  app.get(
    '/publications/:slug/iiif/manifest.json',
    {
      schema: {
        operationId: 'getPublicationManifest',
        summary: 'Get the IIIF manifest',
        description: `Returns the publication by the [IIIF Presentation API 3.0](https://iiif.io/api/presentation/3.0/), for viewers such as
Mirador and Universal Viewer: its pages as canvases, its images by the Image API 3.0 at level 0, and its table of contents.`,
        tags: ['Publications'],
        params: SlugParams,
        problems: [publicationNotFound, publicationUnpublished, readerPasswordRequired, rateLimited],
        response: { 200: Type.Unsafe<Readable>(Manifest) },
      },
      // The answer is written piece by piece; the schema only describes it.
      serializerCompiler: () => JSON.stringify,
    },
    async (request, reply) => {
      const publication = await getShownPublication(
        deps.publicPages,
        request.params.slug,
        await deps.readerLinks.of(request),
      )
      const pieces = writeManifest(onlineManifest(publication, deps))
      return reply
        .type('application/ld+json;profile="http://iiif.io/api/presentation/3/context.json"')
        .headers({ 'cache-control': 'no-store', ...privacyHeaders(publication) })
        .send(Readable.from(inTurns(pieces), { objectMode: false }))
    },
  )
}

/** Lets others run after each piece. */
async function* inTurns(pieces: Iterable<string>): AsyncGenerator<string> {
  for (const piece of pieces) {
    yield piece
    await letOthersRun()
  }
}

const ImageParams = Type.Object({ versionId: Type.String(), name: Type.String() })
const SizeParams = Type.Object({ ...ImageParams.properties, size: Type.String() })

/**
 * GET /images/:versionId/:name/info.json and GET /images/:versionId/:name/full/:size/0/default.jpg: the image of a page
 * by the IIIF Image API 3.0, level 0, which leads to the images that the reader loads.
 */
export function iiifImages(app: HttpServer, deps: DeliveryDeps): void {
  app.get(
    '/images/:versionId/:name/info.json',
    { schema: { hide: true, params: ImageParams } },
    async ({ params }, reply) => {
      const { page, headers } = await openPage(params, deps)
      const id = `${deps.addresses.cdn()}/images/${params.versionId}/${params.name}`
      return reply
        .headers({ ...headers, 'access-control-allow-origin': '*' })
        .type('application/ld+json;profile="http://iiif.io/api/image/3/context.json"')
        .send(imageInfo(id, sizesOf(page, IMAGE_WIDTHS)))
    },
  )
  app.get(
    '/images/:versionId/:name/full/:size/0/default.jpg',
    { schema: { hide: true, params: SizeParams } },
    async ({ params }, reply) => {
      const { page, headers } = await openPage(params, deps)
      const width = wantedWidth(params.size, page)
      if (width === undefined) throw notFound({ detail: 'The image exists in the sizes that its info.json lists.' })
      return reply
        .headers({ ...headers, 'access-control-allow-origin': '*' })
        .redirect(`${deps.addresses.cdn()}/images/${params.versionId}/${params.name}/${width}.jpg`, 302)
    },
  )
}

/** Returns the page that the address of an image leads to. @throws like `openAddress` */
async function openPage({ versionId, name }: { versionId: string; name: string }, deps: DeliveryDeps) {
  const address = deps.pageAddresses.parse(versionId, name)
  if (address === undefined) throw notFound()
  const file = await openAddress(deps, address)
  const facts = await deps.versions.findFacts(versionId)
  if (facts === undefined) throw notFound()
  const page = (JSON.parse(facts) as DocumentFacts).pages[address.page - 1]
  const caching = hasLastingAddresses(file) ? { 'cache-control': FOREVER } : {}
  return { page: page ?? { widthPt: 0, heightPt: 0 }, headers: { ...caching, ...privacyHeaders(file) } }
}

/** Returns the width whose image has a size such as `max` or `1200,1697`; undefined if there is none. */
function wantedWidth(size: string, page: { widthPt: number; heightPt: number }): number | undefined {
  if (size === 'max') return IMAGE_WIDTHS.at(-1)
  return IMAGE_WIDTHS.find((wanted) => {
    const { width, height } = imageSize(page, wanted)
    return size === `${width},${height}`
  })
}
