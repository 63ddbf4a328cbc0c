import type { Part } from './page-view.ts'

/** Pages in one HTML page: all of most books. Browsers take too long to lay out many more. */
const PAGES_PER_PART = 400

/** Returns the part of a document that has a page; the first part if there is no such page. */
export function partAt(from: number, pageCount: number): Part {
  const isPage = Number.isSafeInteger(from) && from >= 1 && from <= pageCount
  const first = isPage ? from - ((from - 1) % PAGES_PER_PART) : 1
  return { from: first, to: Math.min(first + PAGES_PER_PART - 1, pageCount) }
}

/** Returns the parts before and after one, if there are any. */
export function neighbours({ from, to }: Part, pageCount: number): { previous?: Part; next?: Part } {
  return {
    ...(from > 1 && { previous: partAt(from - 1, pageCount) }),
    ...(to < pageCount && { next: partAt(to + 1, pageCount) }),
  }
}

/** Returns the query that selects a part; empty for the first. */
export function partQuery({ from }: Part): string {
  return from === 1 ? '' : `?from=${from}`
}

/** Returns the address of a page as seen from a part: an anchor in it, or an address in another. */
export function pageAnchor(page: number, part: Part, pageCount: number, pageAddress: string): string {
  const isHere = page >= part.from && page <= part.to
  return isHere ? `#page-${page}` : `${pageAddress}${partQuery(partAt(page, pageCount))}#page-${page}`
}
