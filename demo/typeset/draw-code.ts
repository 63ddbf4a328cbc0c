import { FONTS } from './fonts.ts'
import type { PageWriter } from './page-writer.ts'
import { COLOURS, SHEET, TEXT_WIDTH, TYPE } from './sheet.ts'

const PADDING = 9
const INDENT_OF_REST = '    '
/** A block may continue on the next page only if at least this many of its lines fit on this one. */
const MIN_LINES = 4

/** Draws lines of code on a tinted background. A line that is too long continues below, indented. */
export function drawCode(writer: PageWriter, code: readonly string[]): void {
  const { document } = writer
  const { size, leading } = TYPE.code
  const x = SHEET.left + PADDING
  const letters = Math.floor((TEXT_WIDTH - 2 * PADDING) / document.font(FONTS.code).fontSize(size).widthOfString('m'))
  const lines = code.flatMap((line) => broken(line, letters))
  writer.y += 3
  writer.keepTogether(Math.min(lines.length, MIN_LINES) * leading + 2 * PADDING)
  for (const [i, line] of lines.entries()) {
    const isFirst = i === 0
    const isLast = i === lines.length - 1
    writer.keepTogether(leading + (isLast ? PADDING : 0))
    const above = isFirst ? PADDING : 0.3
    document.rect(SHEET.left, writer.y - (isFirst ? 0 : above), TEXT_WIDTH, leading + above + (isLast ? PADDING : 0.3))
    document.fill(COLOURS.tint)
    if (isFirst) writer.y += PADDING
    document.font(FONTS.code).fontSize(size).fillColor(COLOURS.ink)
    document.text(line.replaceAll(/[^\x20-\x7e\xa0-\xff…–—•]/g, '-') || ' ', x, writer.y + 1.5, { lineBreak: false })
    writer.y += leading
  }
  writer.y += PADDING + 11
}

function broken(line: string, letters: number): string[] {
  if (line.length <= letters) return [line]
  const space = line.lastIndexOf(' ', letters)
  const at = space > letters / 2 ? space : letters
  return [line.slice(0, at), ...broken(INDENT_OF_REST + line.slice(at).trimStart(), letters)]
}
