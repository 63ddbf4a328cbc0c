import Type from 'typebox'
import { rateLimited } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { PublicationsDeps } from '../deps.ts'
import { publicationNotFound, publicationWithdrawn } from '../errors.ts'
import { ReadingReport } from '../schemas/publication.ts'
import { SlugParams } from '../schemas/slug-params.ts'
import { getPublishedFile } from './published-file.ts'

/** POST /publications/:slug/reading */
export function reportReading(app: HttpServer, { reading, figureCounter }: PublicationsDeps) {
  app.post<{ Params: { slug: string }; Body: ReadingReport }>(
    '/publications/:slug/reading',
    {
      schema: {
        operationId: 'reportReading',
        summary: 'Tell what was read',
        description: `Counts pages that a reader has had on the screen, for the figures of the publication. It is kept as sums
of a day, and nothing of who tells it. Pages that the publication does not have are not counted. A browser may send it
with \`sendBeacon\`, as \`text/plain\`.`,
        tags: ['Publications'],
        params: SlugParams,
        body: ReadingReport,
        problems: [publicationNotFound, publicationWithdrawn, rateLimited],
        response: { 204: Type.Null({ description: 'It is counted.' }) },
      },
    },
    async (request, reply) => {
      const { publicationId, pageCount } = await getPublishedFile(reading, request.params.slug)
      figureCounter.countReading(publicationId, pageCount, request.body, request)
      return reply.code(204).send()
    },
  )
}
