import type { HttpServer } from '#platform/http/http-server.ts'
import type { PublicationChanges } from '../../documents/publication-changes.ts'
import { publicationNotFound } from '../../errors.ts'
import {
  type OperatorPublicationDeps,
  operatorPublicationJson,
} from '../../representations/operator-publication-json.ts'
import { PublicationParams } from '../../schemas/addresses.ts'
import { OperatorPublication } from '../../schemas/operator-publication.ts'
import type { PublicationsStore } from '../../storage/publications-store.ts'
import { requirePublication } from './require-publication.ts'

type Deps = OperatorPublicationDeps & {
  publications: Pick<PublicationsStore, 'setPublished'>
  publicationChanges: Pick<PublicationChanges, 'unpublish'>
}

/** POST /operator/publications/:id/unpublish and POST /operator/publications/:id/publish */
export function unpublish(app: HttpServer, deps: Deps) {
  const schema = {
    tags: ['Library'],
    params: PublicationParams,
    problems: [publicationNotFound],
    response: { 200: OperatorPublication },
  }
  app.post(
    '/operator/publications/:id/unpublish',
    {
      config: { operator: { role: 'editor', effect: 'changes' } },
      schema: {
        ...schema,
        operationId: 'operatorUnpublishPublication',
        summary: 'Unpublish a publication by its id',
        description:
          'Readers get 410 from now on, on the public page and at every address of its files that was issued.',
      },
    },
    async ({ params }) => {
      const { id, workspaceId, slug } = await requirePublication(deps, params.id)
      await deps.publicationChanges.unpublish(workspaceId, slug)
      return await operatorPublicationJson(deps, id)
    },
  )
  app.post(
    '/operator/publications/:id/publish',
    {
      config: { operator: { role: 'editor', effect: 'releases' } },
      schema: {
        ...schema,
        operationId: 'operatorPublishPublication',
        summary: 'Publish an unpublished publication again, by its id',
        description: 'Its files get new addresses; the old ones never work again.',
      },
    },
    async ({ params }) => {
      const { id, workspaceId, slug } = await requirePublication(deps, params.id)
      await deps.publications.setPublished(workspaceId, slug, true)
      return await operatorPublicationJson(deps, id)
    },
  )
}
