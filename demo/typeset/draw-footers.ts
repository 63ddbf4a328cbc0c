import { FONTS } from './fonts.ts'
import { COLOURS, SHEET, TEXT_WIDTH } from './sheet.ts'

/** Writes title and page number below every page except the cover. Screen readers skip them. */
export function drawFooters(document: PDFKit.PDFDocument, title: string): void {
  const { count } = document.bufferedPageRange()
  for (let index = 1; index < count; index++) {
    document.switchToPage(index)
    document.markContent('Artifact', { type: 'Pagination', attached: ['Bottom'] })
    const y = SHEET.height - 52
    document.moveTo(SHEET.left, y - 9).lineTo(SHEET.left + TEXT_WIDTH, y - 9)
    document.lineWidth(0.6).stroke(COLOURS.rule)
    document.font(FONTS.plain).fontSize(8).fillColor(COLOURS.quiet)
    document.text(title, SHEET.left, y, { lineBreak: false })
    const number = String(index + 1)
    document.text(number, SHEET.left + TEXT_WIDTH - document.widthOfString(number), y, { lineBreak: false })
    document.endMarkedContent()
  }
}
