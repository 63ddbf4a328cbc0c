import type { HttpServer } from '#platform/http/http-server.ts'
import type { PublicationsDeps } from '../deps.ts'
import { publicationNotFound } from '../errors.ts'
import { ownerJson } from '../representations/publication-json.ts'
import { Publication } from '../schemas/publication.ts'
import { SlugParams } from '../schemas/slug-params.ts'

/** POST /publications/:slug/publish */
export function publishAgain(app: HttpServer, deps: PublicationsDeps) {
  app.post<{ Params: { slug: string } }>(
    '/publications/:slug/publish',
    {
      schema: {
        operationId: 'publishPublication',
        summary: 'Publish a withdrawn publication again',
        description: `Its PDF and its images have new addresses; those from before stay gone. A publication that is public is left
as it is.`,
        tags: ['Publications'],
        params: SlugParams,
        problems: [publicationNotFound],
        response: { 200: Publication },
      },
    },
    async ({ workspaceId, params }) =>
      await ownerJson(deps, await deps.publications.setPublished(workspaceId, params.slug, true)),
  )
}
