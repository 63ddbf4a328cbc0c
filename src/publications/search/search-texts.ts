import { countHits, findHits, foldForSearch, type Snippet, snippetOf } from '../domain/find-in-text.ts'
import type { SearchableText } from './page-text-cache.ts'

/** Where a document has what was looked for. */
export type SearchResult = {
  hits: number
  /** Those with hits, in their order. */
  pages: { page: number; hits: number }[]
  /** Of the first hits from a page on. */
  snippets: (Snippet & { page: number })[]
}

/** As many as somebody goes through before they ask for more precisely what they look for. */
const MAX_SNIPPETS = 200
/** Of one page: its first hits tell what it is about. */
const MAX_SNIPPETS_OF_PAGE = 3

/** Looks for a phrase in all texts; snippets are made of pages from `fromPage` on, because each costs some reading. */
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
    const shown = findHits(text, folded, Math.min(room, MAX_SNIPPETS_OF_PAGE))
    result.snippets.push(...shown.map((hit) => ({ page, ...snippetOf(text, hit) })))
  }
  return result
}
