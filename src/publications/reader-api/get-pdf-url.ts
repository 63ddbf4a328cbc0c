import Type from 'typebox'
import { rateLimited } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { PublicationsDeps } from '../deps.ts'
import { publicationNotFound, publicationWithdrawn } from '../errors.ts'
import { SlugParams } from '../schemas/slug-params.ts'
import { getPublishedFile } from './published-file.ts'

const PdfUrl = Type.Object(
  {
    url: Type.String({
      format: 'uri',
      description: 'Where the PDF is, for one hour from now on. It takes Range.',
      examples: [
        'https://example.org/files/2b0d6c1e-8a0f-4b52-9f6e-6a1f6a3c1d70?epoch=1&as=inline&expires=1777809300000&key=q83v&signature=uPyX',
      ],
    }),
  },
  { title: 'PdfUrl' },
)

/** GET /publications/:slug/pdf */
export function getPdfUrl(app: HttpServer, { reading, fileAddresses }: PublicationsDeps) {
  app.get<{ Params: { slug: string } }>(
    '/publications/:slug/pdf',
    {
      schema: {
        operationId: 'getPublicationPdfUrl',
        summary: 'Get the address of the PDF',
        description: `A signed address, which needs no key and can be used as often as one likes within its hour. It ends
sooner when the publication is withdrawn. The file is there as soon as the publication is created.`,
        tags: ['Publications'],
        params: SlugParams,
        problems: [publicationNotFound, publicationWithdrawn, rateLimited],
        response: { 200: PdfUrl },
      },
    },
    async ({ params }, reply) => {
      const file = await getPublishedFile(reading, params.slug)
      reply.header('cache-control', 'no-store')
      return { url: fileAddresses.issue(file, 'inline') }
    },
  )
}
