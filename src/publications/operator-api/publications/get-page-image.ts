import Type from 'typebox'
import { notFound } from '#platform/errors.ts'
import { noContent } from '#platform/http/answer-schemas.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { isNotModified } from '#platform/http/ranges/byte-range-answer.ts'
import { isUuid } from '#platform/ids/uuid.ts'
import { acceptsJpegToo } from '../../delivery/accepts-webp.ts'
import { clientOf } from '../../delivery/client-of.ts'
import type { PageImages } from '../../delivery/page-images.ts'
import { imageForm } from '../../domain/image-forms.ts'
import { imageNotReady, publicationNotFound } from '../../errors.ts'
import { OperatorPageParams, PageImageQuery } from '../../schemas/pages.ts'
import type { FilesStore } from '../../storage/files-store.ts'
import type { LibraryStore } from '../../storage/library/library-store.ts'

/**
 * An address with the version always has the same image, but only the browser of this operator may keep it, and only
 * while it goes on asking: a withdrawn or deleted document must not stay on a shared computer for long.
 */
const BRIEFLY = 'private, max-age=60, must-revalidate'

type Deps = {
  library: Pick<LibraryStore, 'find'>
  files: Pick<FilesStore, 'findByVersion'>
  pageImages: PageImages
}

/** GET /operator/publications/:id/pages/:page/image */
export function getPageImage(app: HttpServer, { library, files, pageImages }: Deps) {
  app.get(
    '/operator/publications/:id/pages/:page/image',
    {
      config: { operator: { role: 'viewer', effect: 'reads' } },
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
      const wanted = { name: image, acceptsJpeg: acceptsJpegToo(headers.accept) }
      const { bytes, name, is } = await pageImages.get(file, page, wanted, clientOf(request, reply))
      if (query.version !== undefined && is === 'final') reply.headers({ 'cache-control': BRIEFLY, etag })
      return reply.type(imageForm(name)!.contentType).send(bytes)
    },
  )
}
