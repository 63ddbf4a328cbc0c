import type { HttpServer } from '#platform/http/http-server.ts'
import { publicationNotFound } from '../errors.ts'
import { type OwnerJsonDeps, ownerJson } from '../representations/publication-json.ts'
import { Publication } from '../schemas/publication.ts'
import { SlugParams } from '../schemas/slug-params.ts'
import type { PublicationsStore } from '../storage/publications-store.ts'

type Deps = OwnerJsonDeps & { publications: Pick<PublicationsStore, 'setPublished'> }

/** POST /publications/:slug/publish */
export function publish(app: HttpServer, deps: Deps) {
  app.post(
    '/publications/:slug/publish',
    {
      schema: {
        operationId: 'publishPublication',
        summary: 'Publish an unpublished publication again',
        description: `Makes a publication public again. Its PDF and its images get new addresses; the old ones never work again.
Nothing changes if the publication is public.`,
        tags: ['Publications'],
        permission: 'publish',
        params: SlugParams,
        problems: [publicationNotFound],
        response: { 200: Publication },
      },
    },
    async ({ workspaceId, params }) =>
      await ownerJson(deps, await deps.publications.setPublished(workspaceId, params.slug, true)),
  )
}
