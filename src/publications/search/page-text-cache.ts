import { setImmediate as turn } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { foldForSearch } from '../domain/find-in-text.ts'
import type { PageTextsStore } from '../storage/page-texts-store.ts'

/** A page's text as it was written, and as it is compared. */
export type SearchableText = { page: number; text: string; folded: string }

/** The texts of documents that were searched last. */
export type SearchableTexts = {
  /** All finished pages of a version that have text, by number; `pagesReady` says how many are finished. */
  of(versionId: string, pagesReady: number): Promise<readonly SearchableText[]>
}

/** Folding so many takes some 10 ms, after which others have their turn. */
const PAGES_AT_ONCE = 200
/** Some twenty books. The document that was searched last is kept even if it has more. */
const MAX_CHARACTERS = 32_000_000

/** Keeps the folded texts of documents in memory: reading those of a large one takes longer than searching it. */
export function createSearchableTexts(store: PageTextsStore, maxCharacters = MAX_CHARACTERS): SearchableTexts {
  const kept = new LRUCache<string, Promise<SearchableText[]>>({ maxSize: maxCharacters, sizeCalculation: () => 1 })

  async function read(versionId: string): Promise<SearchableText[]> {
    const texts: SearchableText[] = []
    for (let page = 0; ; ) {
      const rows = await store.listAfter(versionId, page, PAGES_AT_ONCE)
      for (const row of rows) {
        const folded = foldForSearch(row.text)
        if (folded !== '') texts.push({ page: row.page, text: row.text, folded })
      }
      if (rows.length < PAGES_AT_ONCE) return texts
      page = rows[rows.length - 1].page
      await turn()
    }
  }

  /** Texts that several ask for at once are read once. Their size is known when they have been read. */
  function begin(key: string, versionId: string): Promise<SearchableText[]> {
    const texts = read(versionId)
    texts.then(
      (all) => {
        const characters = all.reduce((sum, { text, folded }) => sum + text.length + folded.length, 0)
        // A value of its own: setting the same one again would not change its size.
        kept.set(key, Promise.resolve(all), { size: Math.min(Math.max(characters, 1), maxCharacters) })
      },
      () => kept.delete(key),
    )
    kept.set(key, texts)
    return texts
  }

  return {
    async of(versionId, pagesReady) {
      const key = `${versionId} ${pagesReady}`
      return await (kept.get(key) ?? begin(key, versionId))
    },
  }
}
