import { pageOf } from '../pages/loaded-pages.ts'
import type { NearPages } from '../pages/near-pages.ts'
import type { Box, Word } from '../pages/page-words.ts'
import type { Viewer } from '../pages/viewer.ts'
import type { ReaderStore } from '../state/reader-store.ts'
import type { Announcer } from '../ui/announcer.ts'
import type { ReaderTexts } from '../ui/texts.ts'
import { fetchHits, type SearchResult } from './fetch-hits.ts'
import { findOnPage } from './find-on-page.ts'
import { drawHits } from './hit-layer.ts'
import { adjacentHit, type HitPosition, numberOfHit } from './hit-order.ts'

export type SearchState = {
  query: string
  status: 'idle' | 'searching' | 'found' | 'failed'
  answer?: SearchResult
  hit?: HitPosition
}

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
  let current: SearchState = { query: '', status: 'idle' }
  let running = new AbortController()
  const listeners: ((now: SearchState) => void)[] = []

  function set(change: Partial<SearchState>): void {
    current = { ...current, ...change }
    for (const listener of listeners) listener(current)
  }

  async function draw(section: HTMLElement): Promise<Box[][]> {
    const page = pageOf(section)
    const { query, hit } = current
    const words = query === '' ? [] : await wordsOf(page).catch(() => [])
    if (query !== current.query) return []
    const hits = findOnPage(words, query)
    drawHits(section, hits, hit?.page === page ? Math.min(hit.index, hits.length - 1) : undefined)
    return hits
  }

  const drawAll = () => Promise.all(nearPages.near().map(draw))
  nearPages.subscribe(draw, (section) => drawHits(section, [], undefined))

  async function run(text: string): Promise<void> {
    const query = text.trim()
    if (query === current.query && current.status !== 'failed') return
    running.abort()
    running = new AbortController()
    set({ query, status: query === '' ? 'idle' : 'searching', answer: undefined, hit: undefined })
    writeAddress(query)
    void drawAll()
    if (query === '') return
    const { signal } = running
    try {
      const answer = await fetchHits(address, query, 1, signal)
      if (signal.aborted) return
      set({ status: 'found', answer })
      announce(texts.hits(answer.hits, answer.pages.length))
    } catch {
      if (signal.aborted) return
      set({ status: 'failed' })
      announce(texts.searchFailed)
    }
  }

  async function goTo(hit: HitPosition): Promise<void> {
    set({ hit })
    const { query } = current
    if (!viewer.shown().includes(hit.page) || store.current.page !== hit.page)
      await viewer.goTo(hit.page, { isQuiet: true })
    announce(`${texts.hitOf(numberOf(hit), current.answer?.hits ?? 0)}. ${texts.pageNumber(hit.page)}`)
    await drawAll()
    const words = await wordsOf(hit.page).catch(() => [])
    if (query !== current.query || current.hit !== hit) return
    const boxes = findOnPage(words, query)
    const [box] = boxes[Math.min(hit.index, boxes.length - 1)] ?? []
    if (box !== undefined) viewer.reveal(hit.page, box)
  }

  const foundPages = () => current.answer?.pages ?? []
  const numberOf = (hit: HitPosition) => numberOfHit(foundPages(), hit)

  return {
    get current() {
      return current
    },
    subscribe: (listener) => listeners.push(listener),
    run,
    goTo,
    numberOf,
    step(by) {
      const hit = adjacentHit(foundPages(), current.hit, store.current.page, by)
      if (hit !== undefined) void goTo(hit)
    },
    async more() {
      const { answer, query } = current
      const last = answer?.snippets.at(-1)?.page
      if (answer === undefined || last === undefined) return
      const { signal } = running
      const further = await fetchHits(address, query, last + 1, signal).catch(() => undefined)
      if (further === undefined || signal.aborted) return
      set({ answer: { ...answer, snippets: [...answer.snippets, ...further.snippets] } })
    },
  }
}

function writeAddress(query: string): void {
  const address = new URL(location.href)
  if (query === '') address.searchParams.delete('q')
  else address.searchParams.set('q', query)
  if (address.href !== location.href) history.replaceState(history.state, '', address)
}
