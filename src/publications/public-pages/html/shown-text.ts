/** A page's text as it goes into the HTML: its paragraphs, and whether it goes on. */
export type ShownText = { paragraphs: string[]; isCut: boolean }

/** Five times the text of a dense page of a book; a page of a newspaper may have more. */
const MAX_PAGE_CHARACTERS = 20_000
/** What all pages of one HTML page may have together: four books' worth, and what browsers still take well. */
const MAX_CHARACTERS = 4_000_000
/** What a page has to be content with once that is used up. */
const LEAST_CHARACTERS = 500

/** Deals out the text that one HTML page may hold, page by page. */
export function createTextAllowance(): (text: string) => ShownText {
  let left = MAX_CHARACTERS
  return (text) => {
    const limit = Math.max(Math.min(MAX_PAGE_CHARACTERS, left), LEAST_CHARACTERS)
    const isCut = text.length > limit
    const shown = isCut ? text.slice(0, limit).toWellFormed() : text
    left -= shown.length
    const paragraphs = shown
      .split(/\n\s*\n/)
      .map((paragraph) => paragraph.trim())
      .filter((paragraph) => paragraph !== '')
    return { paragraphs, isCut }
  }
}
