import type { HttpServer } from '#platform/http/http-server.ts'
import { foldText } from '../../domain/search-text.ts'
import { workspaceNotFound } from '../../errors.ts'
import { libraryEntry } from '../../representations/operator-json.ts'
import { WorkspaceParams } from '../../schemas/addresses.ts'
import { LibraryPage, LibraryQuery, USUAL_OPERATOR_PUBLICATIONS_PER_PAGE } from '../../schemas/library.ts'
import type { OperatorDeps } from '../operator-deps.ts'
import { requireWorkspace } from '../workspaces/require-workspace.ts'
import { findLibraryPage } from './library-page.ts'

/** GET /operator/workspaces/:id/publications */
export function listPublications(app: HttpServer, deps: OperatorDeps) {
  const { library, figures, addresses } = deps
  app.get<{ Params: WorkspaceParams; Querystring: LibraryQuery }>(
    '/operator/workspaces/:id/publications',
    {
      schema: {
        operationId: 'operatorListPublications',
        summary: "List a workspace's publications",
        description: 'Searched, filtered and sorted, also those that are withdrawn.',
        tags: ['Library'],
        params: WorkspaceParams,
        querystring: LibraryQuery,
        problems: [workspaceNotFound],
        response: { 200: LibraryPage },
      },
    },
    async ({ params, query }) => {
      const { id } = await requireWorkspace(deps, params.id)
      const search = searchOf(query)
      const sort = query.sort ?? 'created'
      const { rows, nextCursor } = await findLibraryPage(library, id, search, {
        sort,
        descending: (query.order ?? (sort === 'title' ? 'asc' : 'desc')) === 'desc',
        limit: query.limit ?? USUAL_OPERATOR_PUBLICATIONS_PER_PAGE,
        cursor: query.cursor,
      })
      const views = await figures.totalViews(rows.map((row) => row.id))
      return {
        publications: rows.map((row) => libraryEntry(row, views.get(row.id) ?? 0, addresses)),
        total: await library.count(id, search),
        next_cursor: nextCursor,
      }
    },
  )
}

function searchOf({ q, status, unpublished }: LibraryQuery) {
  return {
    text: q === undefined ? undefined : foldText(q),
    status,
    isUnpublished: unpublished === undefined ? undefined : unpublished === 'true',
  }
}
