import { setImmediate as nextTurn } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { foldForSearch } from '../domain/find-in-text.ts'
import type { PageTextsStore } from '../storage/page-texts-store.ts'

/** The text of a page as written, and folded for comparison. */
export type SearchableText = { page: number; text: string; folded: string }

/** The folded texts of recently searched documents. */
export type PageTextCache = {
  /** Returns all finished pages of a version that have text, by number; `pagesReady` is the number of finished pages. */
  textsOf(versionId: string, pagesReady: number): Promise<readonly SearchableText[]>
}

/** Folding this many pages takes about 10 ms, after which other work gets its turn. */
const PAGES_PER_TURN = 200
/** About twenty books. The document searched last is kept even if it is larger. */
const MAX_CHARACTERS = 32_000_000

/** Keeps the folded texts of documents in memory: reading those of a large one takes longer than searching it. */
export function createPageTextCache(store: PageTextsStore, maxCharacters = MAX_CHARACTERS): PageTextCache {
  const kept = new LRUCache<string, Promise<SearchableText[]>>({ maxSize: maxCharacters })

  async function read(versionId: string): Promise<SearchableText[]> {
    const texts: SearchableText[] = []
    for (let page = 0; ; ) {
      const rows = await store.listAfter(versionId, page, PAGES_PER_TURN)
      for (const row of rows) {
        const folded = foldForSearch(row.text)
        if (folded !== '') texts.push({ page: row.page, text: row.text, folded })
      }
      if (rows.length < PAGES_PER_TURN) return texts
      page = rows[rows.length - 1].page
      await nextTurn()
    }
  }

  /** Keeps the texts from the beginning, so that concurrent searches read them once; their size is known at the end. */
  function begin(key: string, versionId: string): Promise<SearchableText[]> {
    const reading = read(versionId)
    kept.set(key, reading, { size: 1 })
    reading.then(
      (texts) => {
        const characters = texts.reduce((sum, { text, folded }) => sum + text.length + folded.length, 0)
        // A new value, because setting the same one again would not change its size.
        if (kept.peek(key) === reading)
          kept.set(key, Promise.resolve(texts), { size: Math.min(Math.max(characters, 1), maxCharacters) })
      },
      () => kept.delete(key),
    )
    return reading
  }

  return {
    textsOf(versionId, pagesReady) {
      const key = `${versionId} ${pagesReady}`
      return kept.get(key) ?? begin(key, versionId)
    },
  }
}
