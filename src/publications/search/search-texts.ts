import { countHits, findHits, foldForSearch, type Snippet, snippetOf } from '../domain/find-in-text.ts'
import type { SearchableText } from './page-text-cache.ts'

/** The hits of a search in a document. */
export type SearchResult = {
  hits: number
  /** Pages with hits, by number. */
  pages: { page: number; hits: number }[]
  /** Snippets of the first hits from a page on. */
  snippets: (Snippet & { page: number })[]
}

/** More than a reader looks through before refining a search. */
const MAX_SNIPPETS = 200
/** The first hits of a page show what it is about. */
const MAX_SNIPPETS_PER_PAGE = 3

/** Searches all texts for a phrase. Snippets are made for pages from `fromPage` on, because each takes some time. */
export function searchTexts(texts: readonly SearchableText[], query: string, fromPage: number): SearchResult {
  const folded = foldForSearch(query)
  const result: SearchResult = { hits: 0, pages: [], snippets: [] }
  for (const { page, text, folded: foldedText } of texts) {
    const hits = countHits(foldedText, folded)
    if (hits === 0) continue
    result.hits += hits
    result.pages.push({ page, hits })
    const room = MAX_SNIPPETS - result.snippets.length
    if (page < fromPage || room === 0) continue
    const shown = findHits(text, folded, Math.min(room, MAX_SNIPPETS_PER_PAGE))
    result.snippets.push(...shown.map((hit) => ({ page, ...snippetOf(text, hit) })))
  }
  return result
}
