import { Readable } from 'node:stream'
import { setImmediate as letOthersRun } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import { createCursorCodec, isCursorText, pageOf } from '#platform/basics/list-cursor.ts'
import { foldText } from '#platform/basics/text.ts'
import type { FoundPublication, LibraryPosition, LibrarySearch, LibrarySort } from '../model/library-store.ts'
import { listedJson } from '../model/publication-json.ts'
import type { Publication } from '../model/publication-rows.ts'
import type { ShelfSearch } from '../search/shelf-search.ts'
import type { LibraryDeps } from './library-deps.ts'
import {
  DEFAULT_OPERATOR_PUBLICATIONS_PER_PAGE,
  type LibraryPage,
  type LibraryQuery,
  libraryEntry,
} from './library-schemas.ts'

/** The client that waits for a search. */
type SearchClient = Parameters<ShelfSearch['search']>[2]

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
  deps: LibraryDeps,
  workspaceId: string,
  query: LibraryQuery,
  client: SearchClient,
): Promise<LibraryPage> {
  const { library, figures, addresses, now } = deps
  const search = await withTexts(deps, workspaceId, parseSearch(query), query, client)
  const sort = query.sort ?? 'created'
  const { rows, nextCursor } = await findLibraryPage(deps, workspaceId, search, {
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

/** Publications whose texts a search goes through, and which an order by views compares. */
const MAX_SEARCHED = 2_000
const MAX_COMPARED = 20_000

/** Adds the publications that contain a text to a search for it. @throws unavailable if too many searches wait */
async function withTexts(
  { library, shelfSearch }: LibraryDeps,
  workspaceId: string,
  search: LibrarySearch,
  { q = '', texts }: LibraryQuery,
  client: SearchClient,
): Promise<LibrarySearch> {
  if (texts !== 'true' || search.text === undefined || search.text === '') return search
  const { text: _text, ...filters } = search
  const searched = await library.outlines(workspaceId, filters, MAX_SEARCHED)
  const { hits } = await shelfSearch.search(searched, q, client)
  const inTexts = searched.filter(({ version_id }) => hits.has(version_id)).map(({ id }) => id)
  return { ...search, inTexts }
}

function parseSearch({ q, status, access, visibility, unpublished, collection }: LibraryQuery) {
  return {
    text: q === undefined ? undefined : foldText(q),
    status,
    access,
    visibility,
    collectionId: collection === 'none' ? null : collection,
    isUnpublished: unpublished === undefined ? undefined : unpublished === 'true',
  }
}

type LibraryPageRequest = { sort: LibrarySort; descending: boolean; limit: number; cursor: string | undefined }

/**
 * Returns one page of a workspace's publications with the cursor of the next.
 * @throws badRequest for a cursor of another list
 */
async function findLibraryPage(
  deps: LibraryDeps,
  workspaceId: string,
  search: LibrarySearch,
  { sort, descending, limit, cursor }: LibraryPageRequest,
): Promise<{ rows: FoundPublication[]; nextCursor: string | null }> {
  const cursors = createCursorCodec<LibraryPosition>(
    `${sort} ${descending ? 'desc' : 'asc'}`,
    ({ key, id }) => (sort === 'title' ? isCursorText(key) : Number.isSafeInteger(key)) && isCursorText(id),
  )
  const after = cursor === undefined ? undefined : cursors.decode(cursor)
  const found =
    sort === 'views'
      ? await searchByViews(deps, workspaceId, search, { descending, after, limit: limit + 1 })
      : await deps.library.search(workspaceId, search, { sort, descending, after, limit: limit + 1 })
  return pageOf(found, limit, cursors, (row) => ({ key: row.sort_key, id: row.id }))
}

/** Returns publications in the order of their views, which are stored apart from them. */
async function searchByViews(
  { library, figures }: LibraryDeps,
  workspaceId: string,
  search: LibrarySearch,
  { descending, after, limit }: { descending: boolean; after: LibraryPosition | undefined; limit: number },
): Promise<FoundPublication[]> {
  const ids = (await library.outlines(workspaceId, search, MAX_COMPARED)).map(({ id }) => id)
  const views = await figures.totalViews(ids)
  const compare = (a: LibraryPosition, b: LibraryPosition) =>
    (Number(a.key) - Number(b.key) || (a.id < b.id ? -1 : 1)) * (descending ? -1 : 1)
  const positions = ids.map((id): LibraryPosition => ({ key: views.get(id) ?? 0, id })).sort(compare)
  const next = positions.filter((one) => after === undefined || (one.id !== after.id && compare(after, one) < 0))
  const rows = await library.byIds(next.slice(0, limit).map(({ id }) => id))
  return rows.map((row) => ({ ...row, sort_key: views.get(row.id) ?? 0 }))
}
