import type { SearchResult } from './fetch-hits.ts'

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
