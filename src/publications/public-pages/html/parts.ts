import type { Part } from './page-view.ts'

/** Pages in one HTML page. All of a usual book; beyond it a browser would have too much to lay out at once. */
export const PAGES_PER_PART = 400

/** The part of a document that begins at a page, or that has it; the first where there is no such page. */
export function partAt(from: number, pageCount: number): Part {
  const isPage = Number.isSafeInteger(from) && from >= 1 && from <= pageCount
  const first = isPage ? from - ((from - 1) % PAGES_PER_PART) : 1
  return { from: first, to: Math.min(first + PAGES_PER_PART - 1, pageCount) }
}

/** The parts around one, where there are such. */
export function neighbours({ from, to }: Part, pageCount: number): { previous?: Part; next?: Part } {
  return {
    ...(from > 1 && { previous: partAt(from - 1, pageCount) }),
    ...(to < pageCount && { next: partAt(to + 1, pageCount) }),
  }
}

/** What is added to the address of the page to get a part: nothing for the first. */
export function partQuery({ from }: Part): string {
  return from === 1 ? '' : `?from=${from}`
}

/** The address of a page from within a part: a place in it, or in another. */
export function pageAnchor(page: number, part: Part, pageCount: number, pageAddress: string): string {
  const isHere = page >= part.from && page <= part.to
  return isHere ? `#page-${page}` : `${pageAddress}${partQuery(partAt(page, pageCount))}#page-${page}`
}
