import type { ShelfPageText } from '../model/shelf-store.ts'
import type { Snippet } from './find-in-text.ts'
import { type SearchableText, searchable, searchTexts } from './search-texts.ts'
import { createTextsCache } from './texts-cache.ts'

/** Consecutive pages of a version. The same `key` always stands for the same texts. */
export type ShelfUnit = { key: string; versionId: string }

/** A search in units; without `texts`, in those kept of earlier searches. */
export type ShelfTask = { units: readonly ShelfUnit[]; foldedQuery: string; texts?: readonly ShelfPageText[] }

/** Hits in a version; with the first of them as it stands in its page, if it has more hits than most others. */
export type ShelfHits = { versionId: string; hits: number; snippet?: Snippet & { page: number } }

/** The hits in the units, and the places in the list of units without kept texts. */
export type ShelfTaskResult = { found: ShelfHits[]; missing: number[] }

/** Snippets of a search: a reader looks at the best. Measured: each takes 0.15 ms. */
const MAX_SNIPPETS = 100

/** Characters of texts and of their folded forms: about 12,000 pages. */
const MAX_KEPT_CHARACTERS = 48_000_000

// The thread that searches shelves. Folding takes a hundred times as long as searching, so that folded texts are kept.

const kept = createTextsCache<{ texts: SearchableText[] }>(MAX_KEPT_CHARACTERS)

export function searchShelf({ units, foldedQuery, texts }: ShelfTask): ShelfTaskResult {
  const rows = texts && Map.groupBy(texts, ({ version_id }) => version_id)
  const missing: number[] = []
  const found: { versionId: string; hits: number; texts: SearchableText[] }[] = []
  for (const [at, { key, versionId }] of units.entries()) {
    const known = rows === undefined ? kept.get(key) : { texts: searchable(rows.get(versionId) ?? []) }
    if (known === undefined) missing.push(at)
    else {
      if (rows !== undefined) kept.set(key, known)
      const { hits } = searchTexts(known.texts, foldedQuery, 1, 0)
      if (hits > 0) found.push({ versionId, hits, texts: known.texts })
    }
  }
  found.sort((a, b) => b.hits - a.hits)
  return {
    found: found.map(({ versionId, hits, texts: searched }, rank) => {
      if (rank >= MAX_SNIPPETS) return { versionId, hits }
      return { versionId, hits, snippet: searchTexts(searched, foldedQuery, 1, 1).snippets[0] }
    }),
    missing,
  }
}
