import type { HttpServer } from '#platform/http/http-server.ts'
import type { PublicationChanges } from '../documents/publication-changes.ts'
import { publicationNotFound } from '../errors.ts'
import { type OwnerJsonDeps, ownerJson } from '../representations/publication-json.ts'
import { Publication } from '../schemas/publication.ts'
import { SlugParams } from '../schemas/slug-params.ts'

type Deps = OwnerJsonDeps & { publicationChanges: Pick<PublicationChanges, 'unpublish'> }

/** POST /publications/:slug/unpublish */
export function unpublish(app: HttpServer, deps: Deps) {
  app.post(
    '/publications/:slug/unpublish',
    {
      schema: {
        operationId: 'unpublishPublication',
        summary: 'Unpublish a publication',
        description: `Readers get 410 from now on: on its public page, in this API, and at every address of its PDF and its images
that was issued. Its workspace still lists and changes it. Nothing changes if it is already unpublished.`,
        tags: ['Publications'],
        permission: 'publish',
        params: SlugParams,
        problems: [publicationNotFound],
        response: { 200: Publication },
      },
    },
    async ({ workspaceId, params }) =>
      await ownerJson(deps, await deps.publicationChanges.unpublish(workspaceId, params.slug)),
  )
}
