/** The text of a page in the HTML: its paragraphs, and whether the rest has been cut. */
export type ShownText = { paragraphs: string[]; isCut: boolean }

/** Five times the text of a dense book page; a newspaper page may have more. */
const MAX_PAGE_CHARACTERS = 20_000
/**
 * The text of all pages in one HTML page, with the tags of its paragraphs: twice that of a book of 350 pages. Writing
 * it takes tens of milliseconds, in which everyone else waits.
 */
const MAX_CHARACTERS = 2_000_000
/** The tags of a paragraph or a cell. */
const PARAGRAPH_CHARACTERS = 25
/** Characters that each page still gets once that is used up. */
const MIN_CHARACTERS = 500
/** Characters of a page to read from the database: one more than are shown, by which a cut is recognized. */
export const READ_CHARACTERS = MAX_PAGE_CHARACTERS + 1
/** Characters of the encoded roles of a page to read: those of a table of a thousand cells. */
export const READ_ROLE_CHARACTERS = 8_000

/** Returns a function that cuts the text of each page to what the HTML page may still hold. */
export function createTextBudget(): (text: string) => ShownText {
  let left = MAX_CHARACTERS
  return (text) => {
    const limit = Math.max(Math.min(MAX_PAGE_CHARACTERS, left), MIN_CHARACTERS)
    const isCut = text.length > limit
    const shown = isCut ? text.slice(0, limit).toWellFormed() : text
    const paragraphs = shown
      .split(/\n\s*\n/)
      .map((paragraph) => paragraph.trim())
      .filter((paragraph) => paragraph !== '')
    left -= shown.length + paragraphs.length * PARAGRAPH_CHARACTERS
    return { paragraphs, isCut }
  }
}
