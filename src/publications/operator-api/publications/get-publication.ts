import type { HttpServer } from '#platform/http/http-server.ts'
import { publicationNotFound } from '../../errors.ts'
import {
  type OperatorPublicationDeps,
  operatorPublicationJson,
} from '../../representations/operator-publication-json.ts'
import { PublicationParams } from '../../schemas/addresses.ts'
import { OperatorPublication } from '../../schemas/operator-publication.ts'

/** GET /operator/publications/:id */
export function getPublication(app: HttpServer, deps: OperatorPublicationDeps) {
  app.get(
    '/operator/publications/:id',
    {
      config: { operator: { role: 'viewer', effect: 'reads' } },
      schema: {
        operationId: 'operatorGetPublication',
        summary: 'Get a publication by its id',
        description:
          'Includes what its owner should know: findings, failed pages, pages without text, and the embed code.',
        tags: ['Library'],
        params: PublicationParams,
        problems: [publicationNotFound],
        response: { 200: OperatorPublication },
      },
    },
    async ({ params }) => await operatorPublicationJson(deps, params.id),
  )
}
