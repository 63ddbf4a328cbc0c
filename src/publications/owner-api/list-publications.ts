import type { HttpServer } from '#platform/http/http-server.ts'
import type { PublicationsDeps } from '../deps.ts'
import { listedJson } from '../representations/publication-json.ts'
import { PublicationList } from '../schemas/publication.ts'

/** GET /publications */
export function listPublications(app: HttpServer, { publications, addresses }: PublicationsDeps) {
  app.get(
    '/publications',
    {
      schema: {
        operationId: 'listPublications',
        summary: 'List publications',
        description: 'All publications of the workspace, newest first, also those that are withdrawn.',
        tags: ['Publications'],
        response: { 200: PublicationList },
      },
    },
    async ({ workspaceId }) =>
      (await publications.list(workspaceId)).map((publication) => listedJson(publication, addresses)),
  )
}
