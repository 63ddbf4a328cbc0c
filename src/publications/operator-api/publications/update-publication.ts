import type { HttpServer } from '#platform/http/http-server.ts'
import { readTitle } from '../../domain/title.ts'
import { publicationNotFound, slugIsTaken } from '../../errors.ts'
import { operatorPublicationJson } from '../../representations/operator-publication-json.ts'
import { PublicationParams } from '../../schemas/addresses.ts'
import { OperatorPublication, OperatorPublicationChange } from '../../schemas/operator-publication.ts'
import type { OperatorDeps } from '../operator-deps.ts'
import { requirePublication } from './require-publication.ts'

/** PATCH /operator/publications/:id */
export function updatePublication(app: HttpServer, deps: OperatorDeps) {
  app.patch<{ Params: PublicationParams; Body: OperatorPublicationChange }>(
    '/operator/publications/:id',
    {
      schema: {
        operationId: 'operatorUpdatePublication',
        summary: 'Change title and slug',
        description:
          'A new title leaves the slug as it is; under a slug that it had the publication goes on to be found.',
        tags: ['Library'],
        params: PublicationParams,
        body: OperatorPublicationChange,
        problems: [publicationNotFound, slugIsTaken],
        response: { 200: OperatorPublication },
      },
    },
    async ({ params, body }) => {
      const { id, workspaceId, slug } = await requirePublication(deps, params.id)
      const title = body.title === undefined ? undefined : readTitle(body.title)
      await deps.publications.update(workspaceId, slug, { title, slug: body.slug })
      return await operatorPublicationJson(deps, id)
    },
  )
}
