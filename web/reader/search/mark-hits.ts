import { pageOf } from '../document/loaded-pages.ts'
import type { NearPages } from '../document/near-pages.ts'
import type { Word } from '../document/page-words.ts'
import { findOnPage } from './find-on-page.ts'
import { drawHits } from './hit-layer.ts'
import type { SearchStore } from './search-store.ts'

type Deps = { search: SearchStore; nearPages: NearPages; wordsOf: (page: number) => Promise<Word[]> }

/** Marks the hits on pages that come near. Returns a function that updates the marks on those that are near. */
export function markHits({ search, nearPages, wordsOf }: Deps): () => Promise<void> {
  async function draw(section: HTMLElement): Promise<void> {
    const page = pageOf(section)
    const { query, hit } = search.current
    const words = query === '' ? [] : await wordsOf(page).catch(() => [])
    if (query !== search.current.query) return
    const hits = findOnPage(words, query)
    drawHits(section, hits, hit?.page === page ? Math.min(hit.index, hits.length - 1) : undefined)
  }

  nearPages.subscribe(draw, (section) => drawHits(section, [], undefined))
  return async () => {
    await Promise.all(nearPages.near().map(draw))
  }
}
