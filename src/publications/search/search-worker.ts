import type { PageText } from '../model/pages-store.ts'
import { type SearchableText, type SearchResult, searchable, searchTexts } from './search-texts.ts'
import { createTextsCache } from './texts-cache.ts'

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
const MAX_KEPT_CHARACTERS = 32_000_000

// The thread that searches, so that a long document delays no other request.

const kept = createTextsCache<KeptSlice>(MAX_KEPT_CHARACTERS)

export function searchSlice({ slice, foldedQuery, fromPage, room, texts }: SliceTask): SliceResult {
  const known = texts === undefined ? kept.get(slice) : foldSlice(texts)
  if (known === undefined) return undefined
  if (texts !== undefined) kept.set(slice, known)
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
