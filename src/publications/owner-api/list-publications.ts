import type { HttpServer } from '#platform/http/http-server.ts'
import type { Addresses } from '../domain/addresses.ts'
import { listedJson } from '../representations/publication-json.ts'
import { PublicationList } from '../schemas/publication.ts'
import type { PublicationsStore } from '../storage/publications-store.ts'

type Deps = { publications: Pick<PublicationsStore, 'list'>; addresses: Addresses }

/** GET /publications */
export function listPublications(app: HttpServer, { publications, addresses }: Deps) {
  app.get(
    '/publications',
    {
      schema: {
        operationId: 'listPublications',
        summary: 'List publications',
        description: 'Returns all publications of the workspace, newest first, including unpublished ones.',
        tags: ['Publications'],
        response: { 200: PublicationList },
      },
    },
    async ({ workspaceId }) =>
      (await publications.list(workspaceId)).map((publication) => listedJson(publication, addresses)),
  )
}
