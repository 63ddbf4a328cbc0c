/** A dense newspaper page has about 60,000 characters. A page beyond this is an attack, or a map. */
export const MAX_PAGE_CHARACTERS = 120_000

/** Fifty books. Beyond this a search would take more than two seconds. */
export const MAX_DOCUMENT_CHARACTERS = 50_000_000

/** Every page may keep this much, more than two dense pages of a book, however many pages there are. */
const MIN_PAGE_CHARACTERS = 10_000

/**
 * Returns the number of characters that each page of a document may keep: its share of what the document may have. The
 * share does not depend on other pages, which may be rendered later and by another instance.
 */
export function pageCharacters(pageCount: number): number {
  const share = Math.floor(MAX_DOCUMENT_CHARACTERS / Math.max(1, pageCount))
  return Math.min(MAX_PAGE_CHARACTERS, Math.max(MIN_PAGE_CHARACTERS, share))
}
