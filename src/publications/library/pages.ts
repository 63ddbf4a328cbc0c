import Type from 'typebox'
import { notFound } from '#platform/basics/errors.ts'
import { isUuid } from '#platform/basics/text.ts'
import { workClient } from '#platform/http/client.ts'
import { type HttpServer, noContent } from '#platform/http/http-server.ts'
import { isNotModified } from '#platform/http/ranges.ts'
import { acceptsJpeg } from '../delivery/page-images.ts'
import { imageNotReady, publicationNotFound } from '../model/errors.ts'
import { imageForm } from '../model/image-forms.ts'
import { PublicationParams } from '../model/schemas.ts'
import type { LibraryDeps } from './library-deps.ts'
import { OperatorPageList, OperatorPageParams, PageImageQuery } from './library-schemas.ts'
import { pagesJson } from './operator-json.ts'

/** GET /operator/publications/:id/pages */
export function listPages(app: HttpServer, { library, publications }: LibraryDeps) {
  app.get(
    '/operator/publications/:id/pages',
    {
      schema: {
        operationId: 'operatorListPages',
        summary: 'List the pages of a publication',
        description: 'Returns the state of each page: whether it is rendered or failed, and how much text it has.',
        tags: ['Library'],
        params: PublicationParams,
        problems: [publicationNotFound],
        response: { 200: OperatorPageList },
      },
    },
    async ({ params }) => {
      const publication = await library.find(params.id)
      if (publication === undefined) throw publicationNotFound()
      const facts = await publications.facts(publication.version_id)
      return { pages: pagesJson(publication, facts, await library.pageStates(publication.version_id)) }
    },
  )
}

/**
 * An address with the version always has the same image, but only the browser of this operator may keep it, and only
 * while it goes on asking: a withdrawn or deleted document must not stay on a shared computer for long.
 */
const BRIEFLY = 'private, max-age=60, must-revalidate'

/** GET /operator/publications/:id/pages/:page/image */
export function getPageImage(app: HttpServer, { library, files, pageImages }: LibraryDeps) {
  app.get(
    '/operator/publications/:id/pages/:page/image',
    {
      schema: {
        operationId: 'operatorGetPageImage',
        summary: 'Get the image of a page',
        description: `Returns WebP from this server, even while the publication is unpublished. Waits for a page that is not rendered
yet. While other pages are being rendered, browsers get JPEG.`,
        tags: ['Library'],
        params: OperatorPageParams,
        querystring: PageImageQuery,
        produces: ['image/webp', 'image/jpeg'],
        problems: [publicationNotFound, notFound, imageNotReady],
        response: {
          200: Type.Unsafe<Buffer>(Type.String({ description: 'The image.' })),
          304: noContent('The image has not changed.'),
        },
      },
      // The image is sent as it is; the schema only describes it.
      serializerCompiler: () => JSON.stringify,
    },
    async (request, reply) => {
      const { params, query, headers } = request
      const publication = await library.find(params.id)
      if (publication === undefined) throw publicationNotFound()
      const { version = publication.version_id } = query
      const file = isUuid(version) ? await files.findByVersion(version) : undefined
      const page = Number(params.page)
      if (file === undefined || file.publicationId !== publication.id || page > file.pageCount) throw notFound()
      const image = `${query.width ?? '1200'}.webp`
      const etag = `"${file.versionId}-${page}-${image}"`
      if (isNotModified(headers, etag)) return reply.headers({ 'cache-control': BRIEFLY, etag }).code(304).send()
      const wanted = { name: image, acceptsJpeg: acceptsJpeg(headers.accept) }
      const { bytes, name, is } = await pageImages.get(file, page, wanted, workClient(request, reply))
      if (query.version !== undefined && is === 'final') reply.headers({ 'cache-control': BRIEFLY, etag })
      return reply.type(imageForm(name)!.contentType).send(bytes)
    },
  )
}
