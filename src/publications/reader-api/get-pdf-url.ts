import Type from 'typebox'
import { rateLimited } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { FileAddresses } from '../delivery/file-addresses.ts'
import { publicationNotFound, publicationUnpublished } from '../errors.ts'
import { SlugParams } from '../schemas/slug-params.ts'
import type { FilesStore } from '../storage/files-store.ts'
import { getPublishedFile } from './get-published-file.ts'

const PdfUrl = Type.Object(
  {
    url: Type.String({
      format: 'uri',
      description: 'Signed address of the PDF, valid for one hour. It supports Range.',
      examples: [
        'https://example.org/files/2b0d6c1e-8a0f-4b52-9f6e-6a1f6a3c1d70?epoch=1&as=inline&expires=1777809300000&key=q83v&signature=uPyX',
      ],
    }),
  },
  { title: 'PdfUrl' },
)

type Deps = { files: Pick<FilesStore, 'findBySlug'>; fileAddresses: Pick<FileAddresses, 'issue'> }

/** GET /publications/:slug/pdf */
export function getPdfUrl(app: HttpServer, { files, fileAddresses }: Deps) {
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
        problems: [publicationNotFound, publicationUnpublished, rateLimited],
        response: { 200: PdfUrl },
      },
    },
    async ({ params }, reply) => {
      const file = await getPublishedFile(files, params.slug)
      reply.header('cache-control', 'no-store')
      return { url: fileAddresses.issue(file, 'inline') }
    },
  )
}
