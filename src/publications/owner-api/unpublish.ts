import type { HttpServer } from '#platform/http/http-server.ts'
import type { PublicationsDeps } from '../deps.ts'
import { withdrawPublication } from '../documents/publication-changes.ts'
import { publicationNotFound } from '../errors.ts'
import { ownerJson } from '../representations/publication-json.ts'
import { Publication } from '../schemas/publication.ts'
import { SlugParams } from '../schemas/slug-params.ts'

/** POST /publications/:slug/unpublish */
export function unpublish(app: HttpServer, deps: PublicationsDeps) {
  app.post<{ Params: { slug: string } }>(
    '/publications/:slug/unpublish',
    {
      schema: {
        operationId: 'unpublishPublication',
        summary: 'Withdraw a publication',
        description: `Readers get 410 from now on: at its page, at its addresses in this API, and at every address of its PDF and
its images that they have. Its workspace still lists and changes it. Withdrawing it again changes nothing.`,
        tags: ['Publications'],
        params: SlugParams,
        problems: [publicationNotFound],
        response: { 200: Publication },
      },
    },
    async ({ workspaceId, params }) => await ownerJson(deps, await withdrawPublication(deps, workspaceId, params.slug)),
  )
}
