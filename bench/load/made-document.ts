import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makePdf, showText } from '../../test/support/make-pdf.ts'

const PAGES = 352
const LINES = 45

/** Writes a document of plain text pages, used if no file is given. Real pages take about three times as long. */
export function writeMadeDocument(folder: string): string {
  return writeDocument(folder, 'made.pdf', PAGES)
}

/** Writes a document of one page. */
export function writeShortDocument(folder: string): string {
  return writeDocument(folder, 'short.pdf', 1)
}

/** Writes a document of some pages of text. */
export function writePagesOfText(folder: string, pageCount: number): string {
  return writeDocument(folder, 'pages.pdf', pageCount)
}

function writeDocument(folder: string, name: string, pageCount: number): string {
  const pages = Array.from({ length: pageCount }, (_, page) => ({
    content: Array.from({ length: LINES }, (_, line) =>
      showText(
        `Line ${line + 1} of page ${page + 1}: what stands here is of no importance at all.`,
        60,
        740 - 15 * line,
        11,
      ),
    ).join('\n'),
  }))
  const path = join(folder, name)
  writeFileSync(path, makePdf({ pages }))
  return path
}
