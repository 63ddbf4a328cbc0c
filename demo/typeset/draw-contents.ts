import { FONTS } from './fonts.ts'
import { COLOURS, SHEET, TEXT_WIDTH } from './sheet.ts'
import type { Tag } from './tag.ts'

/** A heading with its target: a named destination and a page number. */
export type Entry = { title: string; level: number; destination: string; page: number }

const HIGHEST = 560

/** Draws the table of contents on one page. Many lines are set closer together. */
export function drawContents(document: PDFKit.PDFDocument, entries: readonly Entry[], tag: Tag): void {
  tag.mark('H1', () => {
    document.font(FONTS.light).fontSize(24).fillColor(COLOURS.ink)
    document.text('Contents', SHEET.left, SHEET.top, { lineBreak: false })
  })
  const step = Math.min(24, HIGHEST / Math.max(1, entries.length))
  const list = tag.within('TOC')
  let y = SHEET.top + 58
  for (const entry of entries) {
    list.mark('TOCI', () => drawEntry(document, entry, y, step))
    y += step
  }
}

function drawEntry(document: PDFKit.PDFDocument, { title, level, destination, page }: Entry, y: number, step: number) {
  const indent = (level - 2) * 16
  const size = Math.min(level === 2 ? 11 : 9.5, step * 0.62)
  const number = String(page)
  document.font(level === 2 ? FONTS.bold : FONTS.plain).fontSize(size)
  document.fillColor(level === 2 ? COLOURS.ink : COLOURS.quiet)
  document.text(title, SHEET.left + indent, y, { lineBreak: false })
  const titleEnd = SHEET.left + indent + document.widthOfString(title) + 8
  document.font(FONTS.plain).fillColor(COLOURS.quiet)
  const numberStart = SHEET.left + TEXT_WIDTH - document.widthOfString(number)
  document.text(number, numberStart, y, { lineBreak: false })
  document.moveTo(titleEnd, y + size).lineTo(numberStart - 8, y + size)
  document.lineWidth(0.5).dash(0.5, { space: 3 }).stroke(COLOURS.quiet).undash()
  document.goTo(SHEET.left, y, TEXT_WIDTH, step, destination)
}
