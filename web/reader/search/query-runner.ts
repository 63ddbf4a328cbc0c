import { asFailure } from '../requests/request-failure.ts'
import type { Announcer } from '../ui/announcer.ts'
import type { ReaderTexts } from '../ui/texts.ts'
import { fetchHits } from './fetch-hits.ts'
import type { SearchStore } from './search-store.ts'
import { statusText } from './status-text.ts'

type Deps = {
  address: string
  texts: ReaderTexts
  search: SearchStore
  announce: Announcer
  /** Called when a query starts, before its answer arrives, and when an empty one ends the search. */
  onQuery(query: string): void
}

/** Runs one query at a time: the next one aborts it. */
export class QueryRunner {
  readonly #deps: Deps
  #running = new AbortController()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Searches for a text; an empty one ends the search. */
  async run(text: string): Promise<void> {
    const { search, onQuery } = this.#deps
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
    onQuery(query)
    if (query !== '') await this.#fetch(query, this.#running.signal)
  }

  /** Fetches the text around further hits. */
  async more(): Promise<void> {
    const { address, search } = this.#deps
    const { answer, query } = search.current
    const last = answer?.snippets.at(-1)?.page
    if (answer === undefined || last === undefined) return
    const { signal } = this.#running
    const further = await fetchHits(address, query, last + 1, signal).catch(() => undefined)
    if (further === undefined || signal.aborted) return
    search.set({ answer: { ...answer, snippets: [...answer.snippets, ...further.snippets] } })
  }

  async #fetch(query: string, signal: AbortSignal): Promise<void> {
    const { address, texts, search, announce } = this.#deps
    try {
      const answer = await fetchHits(address, query, 1, signal)
      if (signal.aborted) return
      search.set({ status: 'found', answer })
      announce(statusText(search.current, texts))
    } catch (error) {
      if (signal.aborted) return
      search.set({ status: 'failed', failure: asFailure(error) })
      announce(statusText(search.current, texts))
    }
  }
}
