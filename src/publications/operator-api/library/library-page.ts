import { invalidFields } from '#platform/errors.ts'
import type {
  FoundPublication,
  LibraryPlace,
  LibrarySearch,
  LibrarySort,
  LibraryStore,
} from '../../storage/library-store.ts'

export type LibraryPageRequest = { sort: LibrarySort; descending: boolean; limit: number; cursor: string | undefined }

/** One page of a workspace's publications with the cursor of the next one. @throws badRequest for a cursor of another list */
export async function findLibraryPage(
  library: LibraryStore,
  workspaceId: string,
  search: LibrarySearch,
  { sort, descending, limit, cursor }: LibraryPageRequest,
): Promise<{ rows: FoundPublication[]; nextCursor: string | null }> {
  const list = `${sort} ${descending ? 'desc' : 'asc'}`
  const after = cursor === undefined ? undefined : decodeCursor(cursor, list)
  // One more than asked for tells whether there is a next page.
  const found = await library.search(workspaceId, search, { sort, descending, after, limit: limit + 1 })
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  const hasMore = found.length > limit && last !== undefined
  return { rows, nextCursor: hasMore ? encodeCursor({ key: last.sort_key, id: last.id }, list) : null }
}

function encodeCursor({ key, id }: LibraryPlace, list: string): string {
  return Buffer.from(JSON.stringify([list, key, id])).toString('base64url')
}

/** A cursor says which order it is of: in another one its place would be anywhere. */
function decodeCursor(cursor: string, list: string): LibraryPlace {
  try {
    const [ofList, key, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    const isKey = list.startsWith('title') ? isText(key) : Number.isSafeInteger(key)
    if (ofList === list && isKey && isText(id)) return { key, id }
  } catch {
    // It is none of ours.
  }
  throw invalidFields([{ path: 'cursor', message: 'must be a next_cursor of this list, in the same order' }])
}

/** PostgreSQL takes no text with U+0000. */
function isText(value: unknown): boolean {
  return typeof value === 'string' && !value.includes('\0')
}
