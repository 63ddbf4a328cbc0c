import type { HttpServer } from '#platform/http/http-server.ts'
import { parseStatements } from '../../domain/statements.ts'
import { parseTitle } from '../../domain/title.ts'
import { publicationNotFound, slugIsTaken } from '../../errors.ts'
import {
  type OperatorPublicationDeps,
  operatorPublicationJson,
} from '../../representations/operator-publication-json.ts'
import { PublicationParams } from '../../schemas/addresses.ts'
import { OperatorPublication, OperatorPublicationUpdate } from '../../schemas/operator-publication.ts'
import type { PublicationsStore } from '../../storage/publications-store.ts'
import { requirePublication } from './require-publication.ts'

type Deps = OperatorPublicationDeps & { publications: Pick<PublicationsStore, 'update'> }

/** PATCH /operator/publications/:id */
export function updatePublication(app: HttpServer, deps: Deps) {
  app.patch(
    '/operator/publications/:id',
    {
      config: { operator: { role: 'editor', effect: 'changes' } },
      schema: {
        operationId: 'operatorUpdatePublication',
        summary: 'Update a publication',
        description: 'A new title does not change the slug. Former slugs still lead to the publication.',
        tags: ['Library'],
        params: PublicationParams,
        body: OperatorPublicationUpdate,
        problems: [publicationNotFound, slugIsTaken],
        response: { 200: OperatorPublication },
      },
    },
    async ({ params, body }) => {
      const { id, workspaceId, slug } = await requirePublication(deps, params.id)
      const title = body.title === undefined ? undefined : parseTitle(body.title)
      await deps.publications.update(workspaceId, slug, { title, slug: body.slug, ...parseStatements(body) })
      return await operatorPublicationJson(deps, id)
    },
  )
}
