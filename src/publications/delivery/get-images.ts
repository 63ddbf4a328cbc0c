import Type from 'typebox'
import { rateLimited } from '#platform/basics/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { publicationNotFound, publicationUnpublished, readerPasswordRequired } from '../model/errors.ts'
import { getPublishedFile } from '../model/files-store.ts'
import { SlugParams } from '../model/schemas.ts'
import type { DeliveryDeps } from './delivery-deps.ts'

const Images = Type.Object(
  {
    images: Type.Array(Type.String({ format: 'uri' }), {
      description: 'One address per page, in page order. An image is WebP if `Accept` names it, else JPEG.',
      examples: [['https://cdn.example.org/images/2b0d6c1e-8a0f-4b52-9f6e-6a1f6a3c1d70/1-1-q3J0c2V0cGFnZWltYWdlMQ']],
    }),
  },
  { title: 'Images' },
)

/** GET /publications/:slug/images */
export function getImages(app: HttpServer, { files, readerLinks, imageLists }: DeliveryDeps) {
  app.get(
    '/publications/:slug/images',
    {
      schema: {
        operationId: 'getPublicationImages',
        summary: 'Get the addresses of the page images',
        description: `Returns all addresses from the beginning: a request for a page that is not rendered yet waits for it, at most
30 seconds. An image never changes under its address and may be cached; images of an unpublished publication are gone. Unless the
publication is public, an address works for 5 to 10 minutes, and no cache may keep the image.`,
        tags: ['Publications'],
        params: SlugParams,
        problems: [publicationNotFound, publicationUnpublished, readerPasswordRequired, rateLimited],
        response: { 200: Type.Unsafe<Buffer>(Images) },
      },
      // The answer is cached as bytes; the schema only describes it.
      serializerCompiler: () => JSON.stringify,
    },
    async (request, reply) => {
      const file = await getPublishedFile(files, request.params.slug, await readerLinks.of(request))
      return reply
        .type('application/json; charset=utf-8')
        .header('cache-control', 'no-store')
        .send(imageLists.jsonOf(file))
    },
  )
}
