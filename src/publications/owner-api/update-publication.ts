import type { HttpServer } from '#platform/http/http-server.ts'
import { parseStatements } from '../domain/statements.ts'
import { parseTitle } from '../domain/title.ts'
import { publicationNotFound, slugIsTaken } from '../errors.ts'
import { type OwnerJsonDeps, ownerJson } from '../representations/publication-json.ts'
import { Publication, PublicationUpdate } from '../schemas/publication.ts'
import { SlugParams } from '../schemas/slug-params.ts'
import type { PublicationsStore } from '../storage/publications-store.ts'

type Deps = OwnerJsonDeps & { publications: Pick<PublicationsStore, 'update'> }

/** PATCH /publications/:slug */
export function updatePublication(app: HttpServer, deps: Deps) {
  app.patch(
    '/publications/:slug',
    {
      schema: {
        operationId: 'updatePublication',
        summary: 'Update a publication',
        description: `Changes the title, the slug, or the language, author and description that readers and search engines see; absent members stay as they are.
A new title does not change the slug. Former slugs still lead to the publication, and are never given to another.`,
        tags: ['Publications'],
        permission: 'publish',
        params: SlugParams,
        body: PublicationUpdate,
        problems: [publicationNotFound, slugIsTaken],
        response: { 200: Publication },
      },
      // A request without a body changes nothing, like one with an empty object.
      preValidation: async (request) => {
        if (request.body === undefined) (request as { body: PublicationUpdate }).body = {}
      },
    },
    async ({ workspaceId, params, body }) => {
      const change = {
        title: body.title == null ? undefined : parseTitle(body.title),
        slug: body.slug ?? undefined,
        ...parseStatements(body),
      }
      return await ownerJson(deps, await deps.publications.update(workspaceId, params.slug, change))
    },
  )
}
