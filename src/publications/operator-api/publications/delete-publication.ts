import { noContent } from '#platform/http/answer-schemas.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { PublicationChanges } from '../../documents/publication-changes.ts'
import { publicationNotFound } from '../../errors.ts'
import { PublicationParams } from '../../schemas/addresses.ts'
import { type RequirePublicationDeps, requirePublication } from './require-publication.ts'

type Deps = RequirePublicationDeps & { publicationChanges: Pick<PublicationChanges, 'delete'> }

/** DELETE /operator/publications/:id */
export function deletePublication(app: HttpServer, deps: Deps) {
  app.delete(
    '/operator/publications/:id',
    {
      config: { operator: { role: 'editor', effect: 'erases' } },
      schema: {
        operationId: 'operatorDeletePublication',
        summary: 'Delete a publication by its id',
        description: 'Permanently deletes a publication with its files, images and reading figures.',
        tags: ['Library'],
        params: PublicationParams,
        problems: [publicationNotFound],
        response: { 204: noContent('The publication is deleted.') },
      },
    },
    async ({ params }, reply) => {
      const { workspaceId, slug } = await requirePublication(deps, params.id)
      await deps.publicationChanges.delete(workspaceId, slug)
      return reply.code(204).send()
    },
  )
}
