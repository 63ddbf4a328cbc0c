import type { NearPages } from '../document/near-pages.ts'
import type { Word } from '../document/page-words.ts'
import type { Viewer } from '../pages/viewer.ts'
import type { ReaderStore } from '../state/reader-store.ts'
import type { Announcer } from '../ui/announcer.ts'
import type { ReaderTexts } from '../ui/texts.ts'
import { findOnPage } from './find-on-page.ts'
import { adjacentHit, type HitPosition, numberOfHit } from './hit-order.ts'
import { markHits } from './mark-hits.ts'
import { QueryRunner } from './query-runner.ts'
import { createSearchStore, type SearchState } from './search-store.ts'

export type Search = {
  readonly current: SearchState
  subscribe(listener: (now: SearchState) => void): void
  /** Searches for a text; an empty one ends the search. */
  run(query: string): Promise<void>
  /** Fetches the text around further hits. */
  more(): Promise<void>
  goTo(hit: HitPosition): Promise<void>
  step(by: 1 | -1): void
  /** Returns the number of a hit among all hits of the document, from 1. */
  numberOf(hit: HitPosition): number
}

type Deps = {
  address: string
  texts: ReaderTexts
  store: ReaderStore
  viewer: Viewer
  nearPages: NearPages
  wordsOf: (page: number) => Promise<Word[]>
  announce: Announcer
}

/** Searches the document and marks the hits on its pages. */
export function createSearch({ address, texts, store, viewer, nearPages, wordsOf, announce }: Deps): Search {
  const search = createSearchStore()
  const updateMarks = markHits({ search, nearPages, wordsOf })
  const onQuery = (query: string) => {
    writeAddress(query)
    void updateMarks()
  }
  const runner = new QueryRunner({ address, texts, search, announce, onQuery })
  const foundPages = () => search.current.answer?.pages ?? []
  const numberOf = (hit: HitPosition) => numberOfHit(foundPages(), hit)

  async function goTo(hit: HitPosition): Promise<void> {
    search.set({ hit })
    const { query } = search.current
    if (!viewer.shown().includes(hit.page) || store.current.page !== hit.page)
      await viewer.goTo(hit.page, { isQuiet: true })
    announce(`${texts.hitOf(numberOf(hit), search.current.answer?.hits ?? 0)}. ${texts.pageNumber(hit.page)}`)
    await updateMarks()
    const words = await wordsOf(hit.page).catch(() => [])
    if (query !== search.current.query || search.current.hit !== hit) return
    const boxes = findOnPage(words, query)
    const [box] = boxes[Math.min(hit.index, boxes.length - 1)] ?? []
    if (box !== undefined) viewer.reveal(hit.page, box)
  }

  return {
    get current() {
      return search.current
    },
    subscribe: search.subscribe,
    run: (query) => runner.run(query),
    more: () => runner.more(),
    goTo,
    numberOf,
    step(by) {
      const hit = adjacentHit(foundPages(), search.current.hit, store.current.page, by)
      if (hit !== undefined) void goTo(hit)
    },
  }
}

function writeAddress(query: string): void {
  const address = new URL(location.href)
  if (query === '') address.searchParams.delete('q')
  else address.searchParams.set('q', query)
  if (address.href !== location.href) history.replaceState(history.state, '', address)
}
