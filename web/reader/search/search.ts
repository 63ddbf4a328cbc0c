import { pageOf } from '../document/loaded-pages.ts'
import { createStore } from '../document/reader-state.ts'
import { asFailure, type RequestFailure, request } from '../document/request-failure.ts'
import { element } from '../elements.ts'
import { failureText } from '../messages.ts'
import type { ReaderDeps } from '../pages/reader-deps.ts'
import type { Viewer } from '../pages/viewer.ts'
import type { Box } from '../pages/words.ts'
import type { ReaderTranslate } from '../texts.ts'
import { findOnPage, mark } from './find-on-page.ts'

export type Search = ReturnType<typeof createSearch>

/** Searches the document and marks the hits on its pages. */
export function createSearch(deps: ReaderDeps, viewer: Viewer) {
  const { t, store, wordsOf, announce } = deps
  const search: SearchStore = createStore<SearchState>({ query: '', status: 'idle' })
  const updateMarks = markHits(deps, search)
  const onQuery = (query: string) => {
    writeAddress(query)
    void updateMarks()
  }
  const runner = new QueryRunner(deps, search, onQuery)
  const foundPages = () => search.current.answer?.pages ?? []

  async function goTo(hit: HitPosition): Promise<void> {
    search.set({ hit })
    const { query } = search.current
    if (!viewer.shown().includes(hit.page) || store.current.page !== hit.page)
      await viewer.goTo(hit.page, { isQuiet: true })
    announce(
      `${t('hitOf', { hit: numberOfHit(foundPages(), hit), hits: search.current.answer?.hits ?? 0 })}. ${t('pageNumber', { page: hit.page })}`,
    )
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
    /** Searches for a text; an empty one ends the search. */
    run: (query: string) => runner.run(query),
    /** Fetches the text around further hits. */
    more: () => runner.more(),
    goTo,
    step(by: 1 | -1): void {
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

/** Marks the hits on pages that come near. Returns a function that updates the marks on pages already near. */
function markHits({ nearPages, wordsOf }: ReaderDeps, search: SearchStore): () => Promise<void> {
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

/** Marks the hits on a page, the current one in a different colour. */
function drawHits(section: HTMLElement, hits: readonly Box[][], current: number | undefined): void {
  section.querySelector('.hits:not(.passage, .spoken)')?.remove()
  if (hits.length === 0) return
  const layer = element('div', { class: 'hits', 'aria-hidden': 'true' })
  for (const [at, boxes] of hits.entries()) for (const box of boxes) layer.append(mark(box, at === current))
  section.querySelector('.links')?.before(layer)
}

/** Runs one query at a time: the next one aborts it. */
class QueryRunner {
  readonly #deps: ReaderDeps
  readonly #search: SearchStore
  readonly #onQuery: (query: string) => void
  #running = new AbortController()

  /** `onQuery` is called when a query starts, before its answer arrives, and when an empty one ends the search. */
  constructor(deps: ReaderDeps, search: SearchStore, onQuery: (query: string) => void) {
    this.#deps = deps
    this.#search = search
    this.#onQuery = onQuery
  }

  /** Searches for a text; an empty one ends the search. */
  async run(text: string): Promise<void> {
    const search = this.#search
    const query = text.trim()
    if (query === search.current.query && search.current.status !== 'failed') return
    this.#running.abort()
    this.#running = new AbortController()
    search.set({
      query,
      status: query === '' ? 'idle' : 'searching',
      failure: undefined,
      answer: undefined,
      hit: undefined,
    })
    this.#onQuery(query)
    if (query !== '') await this.#fetch(query, this.#running.signal)
  }

  /** Fetches the text around further hits. */
  async more(): Promise<void> {
    const search = this.#search
    const { answer, query } = search.current
    const last = answer?.snippets.at(-1)?.page
    if (answer === undefined || last === undefined) return
    const { signal } = this.#running
    const further = await fetchHits(this.#deps.data.search, query, last + 1, signal).catch(() => undefined)
    if (further === undefined || signal.aborted) return
    search.set({ answer: { ...answer, snippets: [...answer.snippets, ...further.snippets] } })
  }

  async #fetch(query: string, signal: AbortSignal): Promise<void> {
    const { data, t, announce } = this.#deps
    const search = this.#search
    try {
      const answer = await fetchHits(data.search, query, 1, signal)
      if (signal.aborted) return
      search.set({ status: 'found', answer })
      announce(statusText(search.current, t))
    } catch (error) {
      if (signal.aborted) return
      search.set({ status: 'failed', failure: asFailure(error) })
      announce(statusText(search.current, t))
    }
  }
}

export type SearchState = {
  query: string
  status: 'idle' | 'searching' | 'found' | 'failed'
  /** The reason, if the search failed. */
  failure?: RequestFailure
  answer?: SearchResult
  hit?: HitPosition
}

type SearchStore = ReturnType<typeof createStore<SearchState>>

/** Pages with their number of hits, and the text around the first hits of each. */
type SearchResult = {
  hits: number
  pages_searched: number
  pages_without_text: number
  page_count: number
  pages: { page: number; hits: number }[]
  snippets: { page: number; text: string; from: number; to: number }[]
}

/** Searches on the server. @throws RequestFailure, and the reason of the signal if it aborts */
async function fetchHits(address: string, query: string, from: number, signal: AbortSignal): Promise<SearchResult> {
  const response = await request(`${address}?${new URLSearchParams({ q: query, from: String(from) })}`, { signal })
  return (await response.json()) as SearchResult
}

/** A hit by its page and its index on that page, from 0. */
export type HitPosition = { page: number; index: number }

type PagesWithHits = SearchResult['pages']

/** Returns the number of a hit among all hits of the document, from 1. */
export function numberOfHit(pages: PagesWithHits, { page, index }: HitPosition): number {
  const before = pages.filter((found) => found.page < page)
  return before.reduce((sum, { hits }) => sum + hits, 0) + index + 1
}

/**
 * Returns the hit after the current one, or before it; without a current one, the first hit from the page being read
 * on, or the last before it. Wraps around at both ends.
 */
export function adjacentHit(
  pages: PagesWithHits,
  current: HitPosition | undefined,
  currentPage: number,
  by: 1 | -1,
): HitPosition | undefined {
  if (pages.length === 0) return undefined
  const here = pages.find(({ page }) => page === current?.page)
  if (current !== undefined && here !== undefined) {
    const index = current.index + by
    if (index >= 0 && index < here.hits) return { page: current.page, index }
  }
  const from = current?.page ?? currentPage
  if (by === 1) {
    const next = pages.find(({ page }) => (current === undefined ? page >= from : page > from)) ?? pages[0]
    return { page: next.page, index: 0 }
  }
  const previous = pages.findLast(({ page }) => page < from) ?? pages[pages.length - 1]
  return { page: previous.page, index: previous.hits - 1 }
}

/** Describes the state of the search, and any reason that keeps it from finding more. */
export function statusText({ status, answer, hit, failure }: SearchState, t: ReaderTranslate): string {
  if (status === 'searching') return t('searching')
  if (status === 'failed' && failure) return `${t('searchFailed')} ${failureText(failure, t)}`
  if (answer === undefined) return ''
  if (hit === undefined) return foundText(answer, t)
  return [t('hitOf', { hit: numberOfHit(answer.pages, hit), hits: answer.hits }), ...restText(answer, t)].join(' ')
}

function foundText(answer: SearchResult, t: ReaderTranslate): string {
  const { hits, pages, pages_searched: searched, pages_without_text: withoutText, page_count: pageCount } = answer
  if (hits === 0 && searched === pageCount && withoutText === searched) return t('nothingToSearch')
  const found =
    hits === 0
      ? t('noHits')
      : t('hits', { hits: t('hitsOnPage', { count: hits }), pages: t('pages', { count: pages.length }) })
  const isScarce = hits === 0 && withoutText > 0
  return [
    isScarce ? `${found}. ${t('pagesWithoutText', { count: withoutText, total: pageCount })}` : found,
    ...restText(answer, t),
  ].join(' ')
}

function restText({ pages_searched: searched, page_count: pageCount }: SearchResult, t: ReaderTranslate): string[] {
  return searched < pageCount ? [t('notAllSearched', { count: searched, total: pageCount })] : []
}
