import Type from 'typebox'
import { notFound } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { isUuid } from '#platform/ids/uuid.ts'
import { imageNotReady, publicationNotFound } from '../../errors.ts'
import { OperatorPageParams, PageImageQuery } from '../../schemas/pages.ts'
import type { OperatorDeps } from '../operator-deps.ts'

/** The address names the file, so that its image is always the same; it is for the browser of this operator alone. */
const KEPT = 'private, max-age=31536000, immutable'

/** GET /operator/publications/:id/pages/:page/image */
export function getPageImage(app: HttpServer, { library, reading, pageImages }: OperatorDeps) {
  app.get<{ Params: OperatorPageParams; Querystring: PageImageQuery }>(
    '/operator/publications/:id/pages/:page/image',
    {
      schema: {
        operationId: 'operatorGetPageImage',
        summary: 'Get the image of a page',
        description: `As WebP, from this server and also while the publication is withdrawn. A page that is not rendered yet is
waited for.`,
        tags: ['Library'],
        params: OperatorPageParams,
        querystring: PageImageQuery,
        produces: ['image/webp'],
        problems: [publicationNotFound, notFound, imageNotReady],
        response: { 200: Type.String({ description: 'The image.' }) },
      },
      // The image is sent as it is; the schema describes it.
      serializerCompiler: () => JSON.stringify,
    },
    async ({ params, query }, reply) => {
      const publication = await library.find(params.id)
      if (publication === undefined) throw publicationNotFound()
      const { version = publication.version_id } = query
      const file = isUuid(version) ? await reading.findByVersion(version) : undefined
      const page = Number(params.page)
      if (file === undefined || file.publicationId !== publication.id || page > file.pageCount) throw notFound()
      const left = new AbortController()
      reply.raw.once('close', () => left.abort())
      const image = `${query.width ?? '1200'}.webp`
      const { bytes, isPlaceholder } = await pageImages.get(file, page, image, left.signal)
      if (query.version !== undefined && !isPlaceholder) reply.raw.setHeader('cache-control', KEPT)
      return reply.type('image/webp').send(bytes)
    },
  )
}
