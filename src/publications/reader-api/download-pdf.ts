import Type from 'typebox'
import { rateLimited } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { PublicationsDeps } from '../deps.ts'
import { publicationNotFound, publicationWithdrawn } from '../errors.ts'
import { SlugParams } from '../schemas/slug-params.ts'
import { getPublishedFile } from './published-file.ts'

/** GET /publications/:slug/download */
export function downloadPdf(app: HttpServer, { reading, fileAddresses, figureCounter }: PublicationsDeps) {
  app.get<{ Params: { slug: string } }>(
    '/publications/:slug/download',
    {
      schema: {
        operationId: 'downloadPublicationPdf',
        summary: 'Download the PDF',
        description: `A lasting address for a link: it leads to the file, which a browser saves under the publication's
title. Where it leads to is signed, and valid for one hour.`,
        tags: ['Publications'],
        params: SlugParams,
        problems: [publicationNotFound, publicationWithdrawn, rateLimited],
        response: { 302: Type.Null({ description: 'The file is at the address in `Location`.' }) },
      },
    },
    async (request, reply) => {
      const file = await getPublishedFile(reading, request.params.slug)
      figureCounter.countDownload(file.publicationId, request)
      reply.header('cache-control', 'no-store')
      return reply.redirect(fileAddresses.issue(file, 'attachment'), 302)
    },
  )
}
