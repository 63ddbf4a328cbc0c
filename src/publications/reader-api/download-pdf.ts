import { rateLimited } from '#platform/errors.ts'
import { noContent } from '#platform/http/answer-schemas.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { FileAddresses } from '../delivery/file-addresses.ts'
import { publicationNotFound, publicationUnpublished } from '../errors.ts'
import type { FigureCounter } from '../reading-figures/figure-counter.ts'
import { SlugParams } from '../schemas/slug-params.ts'
import type { FilesStore } from '../storage/files-store.ts'
import { getPublishedFile } from './get-published-file.ts'

type Deps = {
  files: Pick<FilesStore, 'findBySlug'>
  fileAddresses: Pick<FileAddresses, 'issue'>
  figureCounter: Pick<FigureCounter, 'countDownload'>
}

/** GET /publications/:slug/download */
export function downloadPdf(app: HttpServer, { files, fileAddresses, figureCounter }: Deps) {
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
        problems: [publicationNotFound, publicationUnpublished, rateLimited],
        response: { 302: noContent('Redirects to the file.') },
      },
    },
    async (request, reply) => {
      const file = await getPublishedFile(files, request.params.slug)
      figureCounter.countDownload(file.publicationId, request)
      reply.header('cache-control', 'no-store')
      return reply.redirect(fileAddresses.issue(file, 'attachment'), 302)
    },
  )
}
