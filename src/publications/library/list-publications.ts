import { Readable } from 'node:stream'
import { setImmediate as letOthersRun } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import { createCursorCodec, isCursorText, pageOf } from '#platform/basics/list-cursor.ts'
import { foldText } from '#platform/basics/text.ts'
import type {
  FoundPublication,
  LibraryPosition,
  LibrarySearch,
  LibrarySort,
  LibraryStore,
} from '../model/library-store.ts'
import { listedJson } from '../model/publication-json.ts'
import type { Publication } from '../model/publication-rows.ts'
import type { LibraryDeps } from './library-deps.ts'
import { DEFAULT_OPERATOR_PUBLICATIONS_PER_PAGE, type LibraryPage, type LibraryQuery } from './library-schemas.ts'
import { libraryEntry } from './operator-json.ts'

/** Publications read at once: a few milliseconds of the main thread, and 100 kB of JSON. */
const PUBLICATIONS_PER_READ = 250

/** Publications read before the response begins, so that it begins soon. */
const PUBLICATIONS_READ_FIRST = 50

/** Answers with all publications of a workspace, newest first, however many. */
export async function streamPublications(
  deps: LibraryDeps,
  workspaceId: string,
  reply: FastifyReply,
): Promise<FastifyReply> {
  // Read before the answer begins, so that a database that is away is an answer of its own.
  const first = await readNewest(deps, workspaceId, undefined, PUBLICATIONS_READ_FIRST)
  reply.type('application/json; charset=utf-8')
  return reply.send(Readable.from(writeList(deps, workspaceId, first), { objectMode: false }))
}

/**
 * Writes the array piece by piece. Time of creation and id never change, so that each publication that is there all the
 * time is listed once, whatever is created, changed or deleted meanwhile.
 */
async function* writeList(
  deps: LibraryDeps,
  workspaceId: string,
  first: readonly Publication[],
): AsyncGenerator<string> {
  let rows = first
  let start = '['
  while (rows.length > 0) {
    yield start + rows.map((row) => JSON.stringify(listedJson(row, deps.addresses, deps.now()))).join(',')
    start = ','
    await letOthersRun()
    rows = await readNewest(deps, workspaceId, rows[rows.length - 1], PUBLICATIONS_PER_READ)
  }
  yield start === '[' ? '[]' : ']'
}

/** Reads publications of a workspace, newest first, from the successor of `last`. */
async function readNewest({ library }: LibraryDeps, workspaceId: string, last: Publication | undefined, limit: number) {
  const after = last && { key: last.created_at, id: last.id }
  return await library.search(workspaceId, {}, { sort: 'created', descending: true, after, limit })
}

/** Returns publications of a workspace, searched, filtered and sorted, with the cursor of the next page. */
export async function searchPublications(
  { library, figures, addresses, now }: LibraryDeps,
  workspaceId: string,
  query: LibraryQuery,
): Promise<LibraryPage> {
  const search = parseSearch(query)
  const sort = query.sort ?? 'created'
  const { rows, nextCursor } = await findLibraryPage(library, workspaceId, search, {
    sort,
    descending: (query.order ?? (sort === 'title' ? 'asc' : 'desc')) === 'desc',
    limit: query.limit ?? DEFAULT_OPERATOR_PUBLICATIONS_PER_PAGE,
    cursor: query.cursor,
  })
  const views = await figures.totalViews(rows.map((row) => row.id))
  return {
    publications: rows.map((row) => libraryEntry(row, views.get(row.id) ?? 0, addresses, now())),
    total: await library.count(workspaceId, search),
    next_cursor: nextCursor,
  }
}

function parseSearch({ q, status, access, visibility, unpublished }: LibraryQuery) {
  return {
    text: q === undefined ? undefined : foldText(q),
    status,
    access,
    visibility,
    isUnpublished: unpublished === undefined ? undefined : unpublished === 'true',
  }
}

type LibraryPageRequest = { sort: LibrarySort; descending: boolean; limit: number; cursor: string | undefined }

/**
 * Returns one page of a workspace's publications with the cursor of the next.
 * @throws badRequest for a cursor of another list
 */
async function findLibraryPage(
  library: LibraryStore,
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
