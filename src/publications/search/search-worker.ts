import { LRUCache } from 'lru-cache'
import type { PageText } from '../model/pages-store.ts'
import { countHits, findHits, foldForSearch, type Snippet, snippetOf } from './find-in-text.ts'

/** A search in consecutive pages of a document. The same `slice` always stands for the same pages. */
export type SliceTask = {
  slice: string
  foldedQuery: string
  fromPage: number
  /** Number of snippets still wanted. */
  room: number
  /** The pages; without them, those kept of an earlier search are searched. */
  texts?: readonly PageText[]
}

/** The hits in a slice; undefined if its texts are neither given nor kept. */
export type SliceResult = (SearchResult & SliceSize) | undefined

type SliceSize = { pages_searched: number; pages_without_text: number; characters: number; lastPage: number }

type KeptSlice = SliceSize & { texts: SearchableText[] }

/** About ten books: folding takes longer than searching. Texts and their folded forms count. */
const MAX_KEPT_CHARACTERS = 32_000_000

/** Searches slices, and keeps the folded texts of the most recently searched. */
class SliceSearch {
  readonly #kept: LRUCache<string, KeptSlice>

  constructor(maxCharacters = MAX_KEPT_CHARACTERS) {
    this.#kept = new LRUCache({
      maxSize: maxCharacters,
      sizeCalculation: ({ texts }) => texts.reduce((sum, { text, folded }) => sum + text.length + folded.length, 1),
    })
  }

  search({ slice, foldedQuery, fromPage, room, texts }: SliceTask): SliceResult {
    const known = texts === undefined ? this.#kept.get(slice) : foldSlice(texts)
    if (known === undefined) return undefined
    if (texts !== undefined) this.#kept.set(slice, known)
    const { texts: folded, ...size } = known
    return { ...searchTexts(folded, foldedQuery, fromPage, room), ...size }
  }
}

function foldSlice(rows: readonly PageText[]): KeptSlice {
  const texts = rows
    .map(({ page, text }) => ({ page, text, folded: foldForSearch(text) }))
    .filter(({ folded }) => folded !== '')
  return {
    texts,
    pages_searched: rows.length,
    pages_without_text: rows.length - texts.length,
    characters: rows.reduce((sum, { text }) => sum + text.length, 0),
    lastPage: rows.at(-1)?.page ?? 0,
  }
}

/** The text of a page as written, and folded for comparison. */
export type SearchableText = { page: number; text: string; folded: string }

/** The hits of a search. */
export type SearchResult = {
  hits: number
  /** Pages with hits, by number. */
  pages: { page: number; hits: number }[]
  /** Snippets of the first hits from a page on. */
  snippets: (Snippet & { page: number })[]
}

/** The first hits of a page show its subject. */
const MAX_SNIPPETS_PER_PAGE = 3

/**
 * Searches texts for a folded query. At most `room` snippets are made, for pages
 * from `fromPage` on: each takes some time.
 */
export function searchTexts(
  texts: readonly SearchableText[],
  foldedQuery: string,
  fromPage: number,
  room: number,
): SearchResult {
  const result: SearchResult = { hits: 0, pages: [], snippets: [] }
  for (const { page, text, folded } of texts) {
    const hits = countHits(folded, foldedQuery)
    if (hits === 0) continue
    result.hits += hits
    result.pages.push({ page, hits })
    const left = room - result.snippets.length
    if (page < fromPage || left === 0) continue
    const shown = findHits(text, folded, foldedQuery, Math.min(left, MAX_SNIPPETS_PER_PAGE))
    result.snippets.push(...shown.map((hit) => ({ page, ...snippetOf(text, hit) })))
  }
  return result
}

// The thread that searches, so that a long document delays no other request.

const slices = new SliceSearch()

export function searchSlice(task: SliceTask) {
  return slices.search(task)
}
