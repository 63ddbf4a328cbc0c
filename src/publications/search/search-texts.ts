import { countHits, findHits, foldForSearch, type Snippet, snippetOf } from './find-in-text.ts'

/** The text of a page as written, and folded for comparison. */
export type SearchableText = { page: number; text: string; folded: string }

/** Folds the texts of pages for searches. Pages without any are left out. */
export function searchable(rows: readonly { page: number; text: string }[]): SearchableText[] {
  return rows
    .map(({ page, text }) => ({ page, text, folded: foldForSearch(text) }))
    .filter(({ folded }) => folded !== '')
}

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
