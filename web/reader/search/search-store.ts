import type { RequestFailure } from '../requests/request-failure.ts'
import type { SearchResult } from './fetch-hits.ts'
import type { HitPosition } from './hit-order.ts'

export type SearchState = {
  query: string
  status: 'idle' | 'searching' | 'found' | 'failed'
  /** The reason, if the search failed. */
  failure?: RequestFailure
  answer?: SearchResult
  hit?: HitPosition
}

export type SearchStore = {
  readonly current: SearchState
  /** Changes part of the state and notifies the listeners. */
  set(change: Partial<SearchState>): void
  subscribe(listener: (now: SearchState) => void): void
}

export function createSearchStore(): SearchStore {
  let current: SearchState = { query: '', status: 'idle' }
  const listeners: ((now: SearchState) => void)[] = []
  return {
    get current() {
      return current
    },
    set(change) {
      current = { ...current, ...change }
      for (const listener of listeners) listener(current)
    },
    subscribe(listener) {
      listeners.push(listener)
    },
  }
}
