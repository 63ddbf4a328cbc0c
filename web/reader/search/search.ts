import { createStore } from '../document/reader-state.ts'
import { asFailure } from '../document/request-failure.ts'
import type { ReaderDeps } from '../pages/reader-deps.ts'
import type { Viewer } from '../pages/viewer.ts'
import { findOnPage, markHits } from './find-on-page.ts'
import {
  adjacentHit,
  fetchHits,
  type HitPosition,
  numberOfHit,
  type SearchState,
  type SearchStore,
  statusText,
} from './hits.ts'

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
  /** Returns the number of a hit among all hits of the document, from 1. */
  const numberOf = (hit: HitPosition) => numberOfHit(foundPages(), hit)

  async function goTo(hit: HitPosition): Promise<void> {
    search.set({ hit })
    const { query } = search.current
    if (!viewer.shown().includes(hit.page) || store.current.page !== hit.page)
      await viewer.goTo(hit.page, { isQuiet: true })
    announce(
      `${t('hitOf', { hit: numberOf(hit), hits: search.current.answer?.hits ?? 0 })}. ${t('pageNumber', { page: hit.page })}`,
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
    numberOf,
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
