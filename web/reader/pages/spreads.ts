import type { View } from '../state/reader-state.ts'

/**
 * The pages that are seen together with one: two by two as in a bound book, whose first page lies alone.
 * @param isHere leaves out pages of another part of the document
 */
export function pagesShown(
  page: number,
  view: View,
  pageCount: number,
  isHere: (page: number) => boolean = () => true,
): number[] {
  if (view !== 'spread' || page === 1) return [page]
  const left = page - (page % 2)
  return [left, left + 1].filter((shown) => shown <= pageCount && isHere(shown))
}

/** The page to go to from those that are shown, backwards or forwards; undefined where there is none. */
export function pageBeside(shown: readonly number[], by: 1 | -1, pageCount: number): number | undefined {
  const target = by === 1 ? shown[shown.length - 1] + 1 : shown[0] - 1
  return target < 1 || target > pageCount ? undefined : target
}

/** Whether the pages of a document in a language are turned from left to right. */
export function isRightToLeft(language: string | undefined): boolean {
  return /^(ar|he|iw|fa|ur|ps|sd|ug|yi|ji|dv|ckb|arc|syr)\b|-(arab|hebr)\b/i.test(language ?? '')
}
