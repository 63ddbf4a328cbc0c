import { noContent } from '#platform/http/answer-schemas.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { PublicationChanges } from '../documents/publication-changes.ts'
import { publicationNotFound } from '../errors.ts'
import { SlugParams } from '../schemas/slug-params.ts'

type Deps = { publicationChanges: Pick<PublicationChanges, 'delete'> }

/** DELETE /publications/:slug */
export function deletePublication(app: HttpServer, { publicationChanges }: Deps) {
  app.delete(
    '/publications/:slug',
    {
      schema: {
        operationId: 'deletePublication',
        summary: 'Delete a publication',
        description: `Permanently deletes a publication with its files and images. Only the same workspace can use its slugs
again.`,
        tags: ['Publications'],
        permission: 'publish',
        params: SlugParams,
        problems: [publicationNotFound],
        response: { 204: noContent('The publication is deleted.') },
      },
    },
    async ({ workspaceId, params }, reply) => {
      await publicationChanges.delete(workspaceId, params.slug)
      return reply.code(204).send()
    },
  )
}
