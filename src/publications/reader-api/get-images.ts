import Type from 'typebox'
import { rateLimited } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { PublicationsDeps } from '../deps.ts'
import { publicationNotFound, publicationWithdrawn } from '../errors.ts'
import { SlugParams } from '../schemas/slug-params.ts'
import { getPublishedFile } from './published-file.ts'

const Images = Type.Object(
  {
    images: Type.Array(Type.String({ format: 'uri' }), {
      description: 'One address for each page, in page order: WebP where `Accept` names it, else JPEG.',
      examples: [['https://cdn.example.org/images/2b0d6c1e-8a0f-4b52-9f6e-6a1f6a3c1d70/1-1-q3J0c2V0cGFnZWltYWdlMQ']],
    }),
  },
  { title: 'Images' },
)

/** GET /publications/:slug/images */
export function getImages(app: HttpServer, { reading, imageLists }: PublicationsDeps) {
  app.get<{ Params: { slug: string } }>(
    '/publications/:slug/images',
    {
      schema: {
        operationId: 'getPublicationImages',
        summary: 'Get the addresses of the page images',
        description: `All of them from the beginning: an address that is asked for before its page is rendered waits for
it, at most 30 seconds. Images never change under their address and may be kept; those of a withdrawn publication are
gone.`,
        tags: ['Publications'],
        params: SlugParams,
        problems: [publicationNotFound, publicationWithdrawn, rateLimited],
        response: { 200: Images },
      },
      // The answer is kept as bytes; the schema describes it.
      serializerCompiler: () => JSON.stringify,
    },
    async ({ params }, reply) => {
      const file = await getPublishedFile(reading, params.slug)
      return reply
        .type('application/json; charset=utf-8')
        .header('cache-control', 'no-store')
        .send(imageLists.jsonOf(file))
    },
  )
}
