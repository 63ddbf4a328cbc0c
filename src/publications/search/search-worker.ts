import { LRUCache } from 'lru-cache'
import type { PageText } from '../model/pages-store.ts'
import { foldForSearch } from './find-in-text.ts'
import { type SearchableText, type SearchResult, searchTexts } from './search-texts.ts'

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

// The thread that searches, so that a long document delays no other request.

const slices = new SliceSearch()

export function searchSlice(task: SliceTask) {
  return slices.search(task)
}
