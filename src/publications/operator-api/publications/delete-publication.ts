import Type from 'typebox'
import type { HttpServer } from '#platform/http/http-server.ts'
import { removePublication } from '../../documents/publication-changes.ts'
import { publicationNotFound } from '../../errors.ts'
import { PublicationParams } from '../../schemas/addresses.ts'
import type { OperatorDeps } from '../operator-deps.ts'
import { requirePublication } from './require-publication.ts'

/** DELETE /operator/publications/:id */
export function deletePublication(app: HttpServer, deps: OperatorDeps) {
  app.delete<{ Params: PublicationParams }>(
    '/operator/publications/:id',
    {
      schema: {
        operationId: 'operatorDeletePublication',
        summary: 'Delete a publication by its id',
        description: 'With its files, images and reading figures, for good.',
        tags: ['Library'],
        params: PublicationParams,
        problems: [publicationNotFound],
        response: { 204: Type.Null({ description: 'The publication is gone.' }) },
      },
    },
    async ({ params }, reply) => {
      const { workspaceId, slug } = await requirePublication(deps, params.id)
      await removePublication(deps, workspaceId, slug)
      return reply.code(204).send()
    },
  )
}
