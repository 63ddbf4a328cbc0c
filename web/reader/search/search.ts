import { pageOf } from '../pages/loaded-pages.ts'
import type { NearPages } from '../pages/near-pages.ts'
import type { Word } from '../pages/page-words.ts'
import type { Viewer } from '../pages/viewer.ts'
import type { ReadingState } from '../state/reader-state.ts'
import type { Announcer } from '../ui/announcer.ts'
import type { ReaderTexts } from '../ui/texts.ts'
import { askForHits, type SearchAnswer } from './fetch-hits.ts'
import { findOnPage, type HitBox } from './find-on-page.ts'
import { drawHits } from './hit-layer.ts'
import { type HitPlace, hitBeside, numberOfHit } from './hit-order.ts'

export type SearchNow = {
  query: string
  status: 'idle' | 'searching' | 'found' | 'failed'
  answer?: SearchAnswer
  hit?: HitPlace
}

export type Search = {
  readonly now: SearchNow
  follow(listener: (now: SearchNow) => void): void
  /** Looks for a text; an empty one ends the search. */
  run(query: string): Promise<void>
  /** Fetches what stands around further hits. */
  more(): Promise<void>
  goTo(hit: HitPlace): Promise<void>
  step(by: 1 | -1): void
  /** The number of the current hit among all, from 1. */
  numberOf(hit: HitPlace): number
}

type Parts = {
  address: string
  texts: ReaderTexts
  state: ReadingState
  viewer: Viewer
  nearPages: NearPages
  wordsOf: (page: number) => Promise<Word[]>
  announce: Announcer
}

/** Searches in the document and shows on its pages what is found. */
export function createSearch({ address, texts, state, viewer, nearPages, wordsOf, announce }: Parts): Search {
  let now: SearchNow = { query: '', status: 'idle' }
  let running = new AbortController()
  const listeners: ((now: SearchNow) => void)[] = []

  function set(change: Partial<SearchNow>): void {
    now = { ...now, ...change }
    for (const listener of listeners) listener(now)
  }

  async function draw(section: HTMLElement): Promise<HitBox[][]> {
    const page = pageOf(section)
    const { query, hit } = now
    const words = query === '' ? [] : await wordsOf(page).catch(() => [])
    if (query !== now.query) return []
    const hits = findOnPage(words, query)
    drawHits(section, hits, hit?.page === page ? Math.min(hit.at, hits.length - 1) : undefined)
    return hits
  }

  const drawAll = () => Promise.all(nearPages.near().map(draw))
  nearPages.follow(draw, (section) => drawHits(section, [], undefined))

  async function run(text: string): Promise<void> {
    const query = text.trim()
    if (query === now.query && now.status !== 'failed') return
    running.abort()
    running = new AbortController()
    set({ query, status: query === '' ? 'idle' : 'searching', answer: undefined, hit: undefined })
    writeAddress(query)
    void drawAll()
    if (query === '') return
    const { signal } = running
    try {
      const answer = await askForHits(address, query, 1, signal)
      if (signal.aborted) return
      set({ status: 'found', answer })
      announce(texts.hits(answer.hits, answer.pages.length))
    } catch {
      if (signal.aborted) return
      set({ status: 'failed' })
      announce(texts.searchFailed)
    }
  }

  async function goTo(hit: HitPlace): Promise<void> {
    set({ hit })
    const { query } = now
    if (!viewer.shown().includes(hit.page) || state.now.page !== hit.page)
      await viewer.goTo(hit.page, { isQuiet: true })
    announce(`${texts.hitOf(numberOf(hit), now.answer?.hits ?? 0)}. ${texts.pageNumber(hit.page)}`)
    await drawAll()
    const words = await wordsOf(hit.page).catch(() => [])
    if (query !== now.query || now.hit !== hit) return
    const boxes = findOnPage(words, query)
    const [box] = boxes[Math.min(hit.at, boxes.length - 1)] ?? []
    if (box !== undefined) viewer.reveal(hit.page, box)
  }

  const foundPages = () => now.answer?.pages ?? []
  const numberOf = (hit: HitPlace) => numberOfHit(foundPages(), hit)

  return {
    get now() {
      return now
    },
    follow: (listener) => listeners.push(listener),
    run,
    goTo,
    numberOf,
    step(by) {
      const hit = hitBeside(foundPages(), now.hit, state.now.page, by)
      if (hit !== undefined) void goTo(hit)
    },
    async more() {
      const { answer, query } = now
      const last = answer?.snippets.at(-1)?.page
      if (answer === undefined || last === undefined) return
      const { signal } = running
      const further = await askForHits(address, query, last + 1, signal).catch(() => undefined)
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
