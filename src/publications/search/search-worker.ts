import { LRUCache } from 'lru-cache'
import type { PageText } from '../model/pages-store.ts'
import type { ShelfPageText } from '../model/shelf-store.ts'
import { type SearchableText, type SearchResult, type Snippet, searchable, searchTexts } from './find-in-text.ts'

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

/** About ten books. Texts and their folded forms count. */
const MAX_SLICE_CHARACTERS = 32_000_000

// The thread that searches, so that a long document delays no other request.

const keptSlices = createTextsCache<KeptSlice>(MAX_SLICE_CHARACTERS)

export function searchSlice({ slice, foldedQuery, fromPage, room, texts }: SliceTask): SliceResult {
  const known = texts === undefined ? keptSlices.get(slice) : foldSlice(texts)
  if (known === undefined) return undefined
  if (texts !== undefined) keptSlices.set(slice, known)
  const { texts: folded, ...size } = known
  return { ...searchTexts(folded, foldedQuery, fromPage, room), ...size }
}

function foldSlice(rows: readonly PageText[]): KeptSlice {
  const texts = searchable(rows)
  return {
    texts,
    pages_searched: rows.length,
    pages_without_text: rows.length - texts.length,
    characters: rows.reduce((sum, { text }) => sum + text.length, 0),
    lastPage: rows.at(-1)?.page ?? 0,
  }
}

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
const MAX_UNIT_CHARACTERS = 48_000_000

// The thread that searches shelves. Folding takes a hundred times as long as searching, so that folded texts are kept.

const keptUnits = createTextsCache<{ texts: SearchableText[] }>(MAX_UNIT_CHARACTERS)

export function searchShelf({ units, foldedQuery, texts }: ShelfTask): ShelfTaskResult {
  const rows = texts && Map.groupBy(texts, ({ version_id }) => version_id)
  const missing: number[] = []
  const found: { versionId: string; hits: number; texts: SearchableText[] }[] = []
  for (const [at, { key, versionId }] of units.entries()) {
    const known = rows === undefined ? keptUnits.get(key) : { texts: searchable(rows.get(versionId) ?? []) }
    if (known === undefined) missing.push(at)
    else {
      if (rows !== undefined) keptUnits.set(key, known)
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

/** Keeps the texts that were searched last, up to a number of characters: folding takes longer than searching. */
function createTextsCache<Kept extends { texts: SearchableText[] }>(maxCharacters: number) {
  return new LRUCache<string, Kept>({
    maxSize: maxCharacters,
    sizeCalculation: ({ texts }) => texts.reduce((sum, { text, folded }) => sum + text.length + folded.length, 1),
  })
}
