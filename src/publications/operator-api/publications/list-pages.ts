import type { HttpServer } from '#platform/http/http-server.ts'
import { publicationNotFound } from '../../errors.ts'
import { pagesJson } from '../../representations/operator-json.ts'
import { PublicationParams } from '../../schemas/addresses.ts'
import { OperatorPageList } from '../../schemas/pages.ts'
import type { LibraryStore } from '../../storage/library/library-store.ts'
import type { PublicationsStore } from '../../storage/publications-store.ts'

type Deps = {
  library: Pick<LibraryStore, 'find' | 'pageStates'>
  publications: Pick<PublicationsStore, 'facts'>
}

/** GET /operator/publications/:id/pages */
export function listPages(app: HttpServer, { library, publications }: Deps) {
  app.get(
    '/operator/publications/:id/pages',
    {
      config: { operator: { role: 'viewer', effect: 'reads' } },
      schema: {
        operationId: 'operatorListPages',
        summary: 'List the pages of a publication',
        description: 'Returns the state of each page: whether it is rendered or failed, and how much text it has.',
        tags: ['Library'],
        params: PublicationParams,
        problems: [publicationNotFound],
        response: { 200: OperatorPageList },
      },
    },
    async ({ params }) => {
      const publication = await library.find(params.id)
      if (publication === undefined) throw publicationNotFound()
      const facts = await publications.facts(publication.version_id)
      return { pages: pagesJson(publication, facts, await library.pageStates(publication.version_id)) }
    },
  )
}
