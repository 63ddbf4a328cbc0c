import { threadPool } from '#platform/basics/thread-pool.ts'
import { type WorkClient, WorkQueue, type WorkQueueLimits } from '#platform/jobs/work-queue.ts'
import { MAX_DOCUMENT_CHARACTERS } from '../model/document-content.ts'
import type { PageTextsStore } from '../model/pages-store.ts'
import { foldForSearch } from './find-in-text.ts'
import type { SearchResult } from './search-texts.ts'
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
