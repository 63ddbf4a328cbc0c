import type { createStore } from '../document/reader-state.ts'
import { type RequestFailure, request } from '../document/request-failure.ts'
import { failureText } from '../messages.ts'
import type { ReaderTranslate } from '../texts.ts'

export type SearchState = {
  query: string
  status: 'idle' | 'searching' | 'found' | 'failed'
  /** The reason, if the search failed. */
  failure?: RequestFailure
  answer?: SearchResult
  hit?: HitPosition
}

export type SearchStore = ReturnType<typeof createStore<SearchState>>

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
export async function fetchHits(
  address: string,
  query: string,
  from: number,
  signal: AbortSignal,
): Promise<SearchResult> {
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
