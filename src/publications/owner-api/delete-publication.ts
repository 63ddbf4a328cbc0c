import Type from 'typebox'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { PublicationsDeps } from '../deps.ts'
import { removePublication } from '../documents/publication-changes.ts'
import { publicationNotFound } from '../errors.ts'
import { SlugParams } from '../schemas/slug-params.ts'

/** DELETE /publications/:slug */
export function deletePublication(app: HttpServer, deps: PublicationsDeps) {
  app.delete<{ Params: { slug: string } }>(
    '/publications/:slug',
    {
      schema: {
        operationId: 'deletePublication',
        summary: 'Delete a publication',
        description: `With its files and images, for good. Only the same workspace can make a publication under one of its slugs
again.`,
        tags: ['Publications'],
        params: SlugParams,
        problems: [publicationNotFound],
        response: { 204: Type.Null({ description: 'The publication is gone.' }) },
      },
    },
    async ({ workspaceId, params }, reply) => {
      await removePublication(deps, workspaceId, params.slug)
      return reply.code(204).send()
    },
  )
}
