import { createCursorCodec, isCursorText, pageOf } from '#platform/cursor/list-cursor.ts'
import type {
  FoundPublication,
  LibraryPosition,
  LibrarySearch,
  LibrarySort,
  LibraryStore,
} from '../../storage/library/library-store.ts'

type LibraryPageRequest = { sort: LibrarySort; descending: boolean; limit: number; cursor: string | undefined }

/**
 * Returns one page of a workspace's publications with the cursor of the next.
 * @throws badRequest for a cursor of another list
 */
export async function findLibraryPage(
  library: Pick<LibraryStore, 'search'>,
  workspaceId: string,
  search: LibrarySearch,
  { sort, descending, limit, cursor }: LibraryPageRequest,
): Promise<{ rows: FoundPublication[]; nextCursor: string | null }> {
  const cursors = createCursorCodec<LibraryPosition>(
    `${sort} ${descending ? 'desc' : 'asc'}`,
    ({ key, id }) => (sort === 'title' ? isCursorText(key) : Number.isSafeInteger(key)) && isCursorText(id),
  )
  const after = cursor === undefined ? undefined : cursors.decode(cursor)
  const found = await library.search(workspaceId, search, { sort, descending, after, limit: limit + 1 })
  return pageOf(found, limit, cursors, (row) => ({ key: row.sort_key, id: row.id }))
}
