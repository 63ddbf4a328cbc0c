import type { View } from '../state/reader-store.ts'

/**
 * Returns the pages shown together with a page: two by two as in a bound book, whose first page stands alone.
 * @param isLoaded excludes pages of another part of the document
 */
export function visiblePages(
  page: number,
  view: View,
  pageCount: number,
  isLoaded: (page: number) => boolean = () => true,
): number[] {
  if (view !== 'spread' || page === 1) return [page]
  const left = page - (page % 2)
  return [left, left + 1].filter((shown) => shown <= pageCount && isLoaded(shown))
}

/** Returns the page before or after those shown; undefined at the ends. */
export function adjacentPage(shown: readonly number[], by: 1 | -1, pageCount: number): number | undefined {
  const target = by === 1 ? shown[shown.length - 1] + 1 : shown[0] - 1
  return target < 1 || target > pageCount ? undefined : target
}

/** Returns whether documents in a language are read from right to left. */
export function isRightToLeft(language: string | undefined): boolean {
  return /^(ar|he|iw|fa|ur|ps|sd|ug|yi|ji|dv|ckb|arc|syr)\b|-(arab|hebr)\b/i.test(language ?? '')
}
