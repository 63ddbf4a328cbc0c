import { methodNotAllowed, rateLimited } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { toAppError } from '#platform/http/problems/problem.ts'
import type { PublicationsDeps } from '../deps.ts'
import { publicationNotFound, publicationWithdrawn } from '../errors.ts'
import { listedJson } from '../representations/publication-json.ts'
import { ReadPublication } from '../schemas/publication.ts'
import { SlugParams } from '../schemas/slug-params.ts'

/** Another operation has this address, and still a publication may have this slug. */
const UPLOAD_URL = 'upload-url'
const postAlone = () => methodNotAllowed({ headers: { allow: 'POST' } })

/** GET /publications/:slug */
export function getPublication(app: HttpServer, deps: PublicationsDeps) {
  const { publications, pages, readerFacts, addresses } = deps
  app.get<{ Params: { slug: string } }>(
    '/publications/:slug',
    {
      schema: {
        operationId: 'getPublication',
        summary: 'Get a publication',
        description: `With everything that is needed to show it: its pages with their sizes and images, its table of contents,
what the file says of itself. All of it is there while the publication is \`processing\`.`,
        tags: ['Publications'],
        params: SlugParams,
        problems: [publicationNotFound, publicationWithdrawn, rateLimited],
        response: { 200: ReadPublication },
      },
      // A part of the answer is kept as JSON; the schema describes it.
      serializerCompiler: () => JSON.stringify,
    },
    async ({ params }, reply) => {
      const publication = await publications.getPublished(params.slug).catch((error) => {
        throw params.slug === UPLOAD_URL && toAppError(error).status === 404 ? postAlone() : error
      })
      const failed = await pages.listFailed(publication.version_id)
      const failed_pages = failed.map(({ page, reason }) => ({ page, reason }))
      const changing = JSON.stringify({ ...listedJson(publication, addresses), failed_pages })
      const json = `${changing.slice(0, -1)},${await readerFacts.membersOf(publication)}}`
      return reply.type('application/json; charset=utf-8').header('cache-control', 'no-store').send(Buffer.from(json))
    },
  )
}
