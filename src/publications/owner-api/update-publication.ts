import type { HttpServer } from '#platform/http/http-server.ts'
import type { PublicationsDeps } from '../deps.ts'
import { readTitle } from '../domain/title.ts'
import { publicationNotFound, slugIsTaken } from '../errors.ts'
import { ownerJson } from '../representations/publication-json.ts'
import { Publication, PublicationChange } from '../schemas/publication.ts'
import { SlugParams } from '../schemas/slug-params.ts'

/** PATCH /publications/:slug */
export function updatePublication(app: HttpServer, deps: PublicationsDeps) {
  app.patch<{ Params: { slug: string }; Body: PublicationChange }>(
    '/publications/:slug',
    {
      schema: {
        operationId: 'updatePublication',
        summary: 'Update a publication',
        description: `Title and slug; what is left out stays. A new title leaves the slug as it is. Under a slug that it had the
publication goes on to be found; it is never given to another.`,
        tags: ['Publications'],
        params: SlugParams,
        body: PublicationChange,
        problems: [publicationNotFound, slugIsTaken],
        response: { 200: Publication },
      },
      // A request without any body changes nothing, as one with an empty object does.
      preValidation: async (request) => {
        if (request.body === undefined) (request as { body: PublicationChange }).body = {}
      },
    },
    async ({ workspaceId, params, body }) => {
      const change = {
        title: body.title == null ? undefined : readTitle(body.title),
        slug: body.slug ?? undefined,
      }
      return await ownerJson(deps, await deps.publications.update(workspaceId, params.slug, change))
    },
  )
}
