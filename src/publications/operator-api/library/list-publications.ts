import type { HttpServer } from '#platform/http/http-server.ts'
import type { Addresses } from '../../domain/addresses.ts'
import { foldText } from '../../domain/search-text.ts'
import { workspaceNotFound } from '../../errors.ts'
import { libraryEntry } from '../../representations/operator-json.ts'
import { WorkspaceParams } from '../../schemas/addresses.ts'
import { DEFAULT_OPERATOR_PUBLICATIONS_PER_PAGE, LibraryPage, LibraryQuery } from '../../schemas/library.ts'
import type { FiguresStore } from '../../storage/figures-store.ts'
import type { LibraryStore } from '../../storage/library/library-store.ts'
import { type RequireWorkspaceDeps, requireWorkspace } from '../workspaces/require-workspace.ts'
import { findLibraryPage } from './library-page.ts'

type Deps = RequireWorkspaceDeps & {
  library: Pick<LibraryStore, 'search' | 'count'>
  figures: Pick<FiguresStore, 'totalViews'>
  addresses: Addresses
}

/** GET /operator/workspaces/:id/publications */
export function listPublications(app: HttpServer, deps: Deps) {
  const { library, figures, addresses } = deps
  app.get(
    '/operator/workspaces/:id/publications',
    {
      config: { operator: { role: 'viewer', effect: 'reads' } },
      schema: {
        operationId: 'operatorListPublications',
        summary: "List a workspace's publications",
        description: 'Returns publications of a workspace, searched, filtered and sorted, including unpublished ones.',
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
        limit: query.limit ?? DEFAULT_OPERATOR_PUBLICATIONS_PER_PAGE,
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
