import { rateLimited } from '#platform/errors.ts'
import { noContent } from '#platform/http/answer-schemas.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { publicationNotFound, publicationUnpublished } from '../errors.ts'
import type { FigureCounter } from '../reading-figures/figure-counter.ts'
import { ReadingReport } from '../schemas/publication.ts'
import { SlugParams } from '../schemas/slug-params.ts'
import type { FilesStore } from '../storage/files-store.ts'
import { getPublishedFile } from './get-published-file.ts'

type Deps = { files: Pick<FilesStore, 'findBySlug'>; figureCounter: Pick<FigureCounter, 'countReading'> }

/** POST /publications/:slug/reading */
export function reportReading(app: HttpServer, { files, figureCounter }: Deps) {
  app.post(
    '/publications/:slug/reading',
    {
      schema: {
        operationId: 'reportReading',
        summary: 'Report what was read',
        description: `Counts pages that were on a reader's screen, for the figures of the publication. Only sums per day are stored,
nothing about the reader. Pages that the publication does not have are ignored. A browser may send the report with
\`sendBeacon\`, as \`text/plain\`.`,
        tags: ['Publications'],
        params: SlugParams,
        body: ReadingReport,
        problems: [publicationNotFound, publicationUnpublished, rateLimited],
        response: { 204: noContent('The report is counted.') },
      },
    },
    async (request, reply) => {
      const { publicationId, pageCount } = await getPublishedFile(files, request.params.slug)
      figureCounter.countReading(publicationId, pageCount, request.body, request)
      return reply.code(204).send()
    },
  )
}
