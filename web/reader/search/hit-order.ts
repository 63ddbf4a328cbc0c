import type { SearchAnswer } from './fetch-hits.ts'

/** A hit: the how-manieth of its page, counted from 0. */
export type HitPlace = { page: number; at: number }

type PagesWithHits = SearchAnswer['pages']

/** The number of a hit among all, from 1. */
export function numberOfHit(pages: PagesWithHits, { page, at }: HitPlace): number {
  const before = pages.filter((found) => found.page < page)
  return before.reduce((sum, { hits }) => sum + hits, 0) + at + 1
}

/**
 * The hit after the current one or before it; without a current one the first from the page that is read, or the last
 * before it. Beyond the last comes the first.
 */
export function hitBeside(
  pages: PagesWithHits,
  current: HitPlace | undefined,
  readPage: number,
  by: 1 | -1,
): HitPlace | undefined {
  if (pages.length === 0) return undefined
  const here = pages.find(({ page }) => page === current?.page)
  if (current !== undefined && here !== undefined) {
    const at = current.at + by
    if (at >= 0 && at < here.hits) return { page: current.page, at }
  }
  const from = current?.page ?? readPage
  if (by === 1) {
    const next = pages.find(({ page }) => (current === undefined ? page >= from : page > from)) ?? pages[0]
    return { page: next.page, at: 0 }
  }
  const previous = pages.findLast(({ page }) => page < from) ?? pages[pages.length - 1]
  return { page: previous.page, at: previous.hits - 1 }
}
