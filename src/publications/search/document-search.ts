import Type from 'typebox'
import { RETRY_SOON_SEC, rateLimited, unavailable } from '#platform/basics/errors.ts'
import { threadPool } from '#platform/basics/thread-pool.ts'
import { workClient } from '#platform/http/client.ts'
import { type HttpServer, noContent } from '#platform/http/http-server.ts'
import { isNotModified } from '#platform/http/ranges.ts'
import { QueueFullError, type WorkClient, WorkQueue, type WorkQueueLimits } from '#platform/jobs/work-queue.ts'
import { MAX_DOCUMENT_CHARACTERS } from '../model/document-content.ts'
import { publicationNotFound, publicationUnpublished, readerPasswordRequired } from '../model/errors.ts'
import type { PageTextsStore } from '../model/pages-store.ts'
import { getShownPublication, type PublicPageStore } from '../model/public-page-store.ts'
import type { ReaderLinks } from '../model/reader-links.ts'
import { privacyHeaders } from '../model/reading.ts'
import { SlugParams } from '../model/schemas.ts'
import { foldForSearch, type SearchResult } from './find-in-text.ts'
import type { SliceResult, SliceTask } from './search-worker.ts'

/**
 * A search in the finished pages of a version, of which there are `pagesReady`, `pagesRecognized` of them with
 * recognised text.
 */
export type DocumentQuery = {
  versionId: string
  pagesReady: number
  pagesRecognized: number
  query: string
  fromPage: number
}

export type DocumentResult = SearchResult & { pages_searched: number; pages_without_text: number }

/** Searches in the texts of documents. */
export type DocumentSearch = ReturnType<typeof createDocumentSearch>

/** A search of a book takes some 10 ms, and one of the longest document about 2 s. */
const LIMITS: WorkQueueLimits = { running: 2, waiting: 64, waitingPerCaller: 32 }

/** More than a reader looks through before refining a search. */
const MAX_SNIPPETS = 200

/** Characters read at a time: the database and the thread get them in some milliseconds. */
const SLICE_CHARACTERS = 500_000
/** Pages of the first slice, whose texts may each be as long as a page can have. */
const FIRST_PAGES = 4
const MAX_PAGES_PER_SLICE = 400

/** Memory limit of the thread: the texts that it keeps, and a slice. */
const MAX_HEAP_MB = 256
/** An idle thread, and the texts that it keeps, end after this time. */
const IDLE_MS = 60_000

type SearchSlice = (task: SliceTask) => Promise<SliceResult>

/** Searches in a thread, slice by slice, so that no document has to be in memory as a whole. */
export function createDocumentSearch(store: PageTextsStore, maxCharacters = MAX_DOCUMENT_CHARACTERS) {
  const queue = new WorkQueue<DocumentResult>(LIMITS)
  const pool = threadPool<SliceTask, SliceResult>(new URL('./search-worker.ts', import.meta.url), {
    run: 'searchSlice',
    maxThreads: 1,
    idleMs: IDLE_MS,
    heapMb: MAX_HEAP_MB,
  })
  const searchSlice: SearchSlice = (task) => pool.run(task)

  return {
    /** Rejects with QueueFullError if too many searches wait, and with the reason of the signal. */
    async search(query: DocumentQuery, client: WorkClient): Promise<DocumentResult> {
      const { versionId, pagesReady, pagesRecognized, fromPage } = query
      const key = JSON.stringify([versionId, pagesReady, pagesRecognized, foldForSearch(query.query), fromPage])
      return await queue.do(key, client, (signal) => searchDocument(store, searchSlice, query, maxCharacters, signal))
    },
    async close(): Promise<void> {
      await queue.close()
      await pool.destroy()
    },
  }
}

async function searchDocument(
  store: PageTextsStore,
  searchSlice: SearchSlice,
  { versionId, pagesReady, pagesRecognized, query, fromPage }: DocumentQuery,
  maxCharacters: number,
  signal: AbortSignal,
): Promise<DocumentResult> {
  const result: DocumentResult = { hits: 0, pages: [], snippets: [], pages_searched: 0, pages_without_text: 0 }
  const foldedQuery = foldForSearch(query)
  let pageLimit = FIRST_PAGES
  for (let after = 0, characters = 0; result.pages_searched < pagesReady && characters < maxCharacters; ) {
    signal.throwIfAborted()
    const room = MAX_SNIPPETS - result.snippets.length
    const task = { slice: `${versionId} ${pagesReady} ${pagesRecognized} ${after}`, foldedQuery, fromPage, room }
    const found =
      (await searchSlice(task)) ??
      (await searchSlice({ ...task, texts: await store.listAfter(versionId, after, pageLimit) }))!
    if (found.pages_searched === 0) break
    result.hits += found.hits
    result.pages.push(...found.pages)
    result.snippets.push(...found.snippets)
    result.pages_searched += found.pages_searched
    result.pages_without_text += found.pages_without_text
    after = found.lastPage
    characters += found.characters
    pageLimit = pagesFor(found.characters / found.pages_searched)
  }
  return result
}

/** Returns the number of pages of the next slice, by the mean length of the last. */
function pagesFor(meanCharacters: number): number {
  return Math.min(MAX_PAGES_PER_SLICE, Math.max(1, Math.floor(SLICE_CHARACTERS / Math.max(1, meanCharacters))))
}

const MAX_QUERY_LENGTH = 200

/** A search that is not done by then, because many wait, is given up. */
const SEARCH_WITHIN_MS = 10_000

const count = (description: string, example: number) => Type.Integer({ minimum: 0, description, examples: [example] })

const SearchQuery = Type.Object({
  q: Type.String({
    minLength: 1,
    maxLength: MAX_QUERY_LENGTH,
    description: 'A word, a part of a word, or a phrase.',
    examples: ['culture'],
  }),
  from: Type.Optional(
    Type.Integer({ minimum: 1, default: 1, description: 'First page of the snippets.', examples: [1] }),
  ),
})

const SnippetAnswer = Type.Object(
  {
    page: Type.Integer({ minimum: 1, examples: [12] }),
    text: Type.String({ description: 'Text around the hit.', examples: ['a free culture supports'] }),
    from: count('Start of the hit in the text, in UTF-16 code units.', 7),
    to: count('End of the hit, exclusive.', 14),
  },
  { title: 'SearchSnippet' },
)

const SearchAnswer = Type.Object(
  {
    query: Type.String({ examples: ['culture'] }),
    hits: count('Hits on all pages.', 2),
    pages_searched: count(
      'Number of pages that were searched: those that are rendered, up to a total of about 50,000,000 characters.',
      48,
    ),
    pages_without_text: count(
      'Number of searched pages that have no text, such as scans. Nothing can be found on them.',
      0,
    ),
    page_count: count('Number of pages of the document.', 48),
    pages: Type.Array(
      Type.Object(
        { page: Type.Integer({ minimum: 1, examples: [12] }), hits: count('Hits on the page.', 2) },
        { title: 'SearchHits' },
      ),
      {
        description: 'Pages with hits, in order.',
      },
    ),
    snippets: Type.Array(SnippetAnswer, {
      description: 'At most three per page and 200 in all, from page `from` on.',
    }),
  },
  { title: 'SearchResult' },
)

/** GET /publications/:slug/search */
export function searchPublication(
  app: HttpServer,
  deps: { publicPages: PublicPageStore; readerLinks: ReaderLinks; documentSearch: DocumentSearch },
) {
  const { publicPages, readerLinks, documentSearch } = deps
  app.get(
    '/publications/:slug/search',
    {
      schema: {
        operationId: 'searchPublication',
        summary: 'Search in a publication',
        description: `Returns the pages that contain a text, with the number of hits and snippets. Case, accents and line ends are
ignored. The version that readers see is searched; \`/publications/{slug}/pages/{page}\` returns the positions of words. 503
means that too many searches are waiting.`,
        tags: ['Publications'],
        params: SlugParams,
        querystring: SearchQuery,
        problems: [publicationNotFound, publicationUnpublished, readerPasswordRequired, rateLimited, unavailable],
        response: { 200: SearchAnswer, 304: noContent('The result has not changed.') },
      },
    },
    async (request, reply) => {
      const { params, query, headers } = request
      const { q, from = 1 } = query
      const publication = await getShownPublication(publicPages, params.slug, await readerLinks.of(request))
      const { version_id: versionId, pages_ready: pagesReady } = publication
      const pagesRecognized = publication.pages_recognized ?? 0
      // The same file with the same number of pages and texts gives the same answer.
      const etag = `"${versionId}-${pagesReady}-${pagesRecognized}"`
      reply.header('etag', `W/${etag}`).header('cache-control', 'public, max-age=0, must-revalidate')
      reply.headers(privacyHeaders(publication))
      if (isNotModified(headers, etag)) return reply.code(304).send()
      const client = workClient(request, reply)
      const signal = AbortSignal.any([client.signal, AbortSignal.timeout(SEARCH_WITHIN_MS)])
      try {
        const wanted = { versionId, pagesReady, pagesRecognized, query: q, fromPage: from }
        const found = await documentSearch.search(wanted, { ...client, signal })
        return { query: q, page_count: publication.page_count, ...found }
      } catch (error) {
        if (!(error instanceof QueueFullError) && !signal.aborted) throw error
        throw unavailable({ detail: 'Too many searches are waiting; try again.', retryAfterSec: RETRY_SOON_SEC })
      }
    },
  )
}
