import { setImmediate as turn } from 'node:timers/promises'
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

type Kept = { texts: Promise<SearchableText[]>; characters: number }

/** Keeps the folded texts of documents in memory: reading those of a large one takes longer than searching it. */
export function createSearchableTexts(store: PageTextsStore, maxCharacters = MAX_CHARACTERS): SearchableTexts {
  const kept = new Map<string, Kept>()

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

  function forgetOldest(): void {
    let characters = 0
    for (const entry of kept.values()) characters += entry.characters
    for (const [key, entry] of kept) {
      if (characters <= maxCharacters || kept.size === 1) return
      characters -= entry.characters
      kept.delete(key)
    }
  }

  /** Asked for at once by several, they are read once. */
  function begin(key: string, versionId: string): Kept {
    const entry: Kept = { texts: read(versionId), characters: 0 }
    entry.texts.then(
      (texts) => {
        entry.characters = texts.reduce((sum, { text, folded }) => sum + text.length + folded.length, 0)
        forgetOldest()
      },
      () => kept.delete(key),
    )
    return entry
  }

  return {
    of(versionId, pagesReady) {
      const key = `${versionId} ${pagesReady}`
      const entry = kept.get(key) ?? begin(key, versionId)
      // Last in the order of the map is last to be forgotten.
      kept.delete(key)
      kept.set(key, entry)
      return entry.texts
    },
  }
}
