import type { HttpServer } from '#platform/http/http-server.ts'
import { withdrawPublication } from '../../documents/publication-changes.ts'
import { publicationNotFound } from '../../errors.ts'
import { operatorPublicationJson } from '../../representations/operator-publication-json.ts'
import { PublicationParams } from '../../schemas/addresses.ts'
import { OperatorPublication } from '../../schemas/operator-publication.ts'
import type { OperatorDeps } from '../operator-deps.ts'
import { requirePublication } from './require-publication.ts'

/** POST /operator/publications/:id/unpublish and POST /operator/publications/:id/publish */
export function unpublish(app: HttpServer, deps: OperatorDeps) {
  const schema = {
    tags: ['Library'],
    params: PublicationParams,
    problems: [publicationNotFound],
    response: { 200: OperatorPublication },
  }
  app.post<{ Params: PublicationParams }>(
    '/operator/publications/:id/unpublish',
    {
      schema: {
        ...schema,
        operationId: 'operatorUnpublishPublication',
        summary: 'Withdraw a publication by its id',
        description: 'Readers get 410 from now on, at its page and at every address of its files that they have.',
      },
    },
    async ({ params }) => {
      const { id, workspaceId, slug } = await requirePublication(deps, params.id)
      await withdrawPublication(deps, workspaceId, slug)
      return await operatorPublicationJson(deps, id)
    },
  )
  app.post<{ Params: PublicationParams }>(
    '/operator/publications/:id/publish',
    {
      schema: {
        ...schema,
        operationId: 'operatorPublishPublication',
        summary: 'Publish a withdrawn publication again, by its id',
        description: 'Its files have new addresses; those from before stay gone.',
      },
    },
    async ({ params }) => {
      const { id, workspaceId, slug } = await requirePublication(deps, params.id)
      await deps.publications.setPublished(workspaceId, slug, true)
      return await operatorPublicationJson(deps, id)
    },
  )
}
