import type { HttpServer } from '#platform/http/http-server.ts'
import { publicationNotFound } from '../../errors.ts'
import { operatorPublicationJson } from '../../representations/operator-publication-json.ts'
import { PublicationParams } from '../../schemas/addresses.ts'
import { OperatorPublication } from '../../schemas/operator-publication.ts'
import type { OperatorDeps } from '../operator-deps.ts'

/** GET /operator/publications/:id */
export function getPublication(app: HttpServer, deps: OperatorDeps) {
  app.get<{ Params: PublicationParams }>(
    '/operator/publications/:id',
    {
      schema: {
        operationId: 'operatorGetPublication',
        summary: 'Get a publication by its id',
        description: 'With what its owner should know: findings, failed pages, pages without text, how to embed it.',
        tags: ['Library'],
        params: PublicationParams,
        problems: [publicationNotFound],
        response: { 200: OperatorPublication },
      },
    },
    async ({ params }) => await operatorPublicationJson(deps, params.id),
  )
}
