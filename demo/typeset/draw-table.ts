import type { Line } from './lay-out-text.ts'
import type { Block, Inline } from './markdown.ts'
import { plainText } from './markdown.ts'
import type { PageWriter, Setting } from './page-writer.ts'
import { COLOURS, SHEET, TEXT_WIDTH, TYPE } from './sheet.ts'
import type { Tag } from './tag.ts'

type Table = Extract<Block, { kind: 'table' }>
type Column = { x: number; width: number }

const PADDING = 5
/** Bounds of a column's share when the width is divided. */
const MIN_WIDTH = 56
const MAX_LETTERS = 60
const MIN_LETTERS = 8

/** Draws a table across the width of the text. A row never breaks across pages. */
export function drawTable(writer: PageWriter, table: Table, tag: Tag): void {
  const columns = columnsOf(table)
  const hasHead = table.head.some((cell) => plainText(cell) !== '')
  writer.y += 4
  if (hasHead) drawRow(writer, table.head, columns, { isHead: true, tag: tag.within('TR') })
  for (const row of table.rows) drawRow(writer, row, columns, { isHead: false, tag: tag.within('TR') })
  writer.y += 12
}

type RowOptions = { isHead: boolean; tag: Tag }

function drawRow(
  writer: PageWriter,
  row: readonly Inline[][],
  columns: readonly Column[],
  { isHead, tag }: RowOptions,
): void {
  const cells = columns.map(({ x, width }, i) => {
    const setting = { ...TYPE.cell, x: x + PADDING, width: width - 2 * PADDING, isBold: isHead }
    return { setting, lines: writer.layOut(row[i] ?? [], setting) }
  })
  const height = Math.max(...cells.map(({ lines }) => lines.length)) * TYPE.cell.leading + 2 * PADDING
  writer.keepTogether(height)
  const { document, y } = writer
  if (isHead) document.rect(SHEET.left, y, TEXT_WIDTH, height).fill(COLOURS.tint)
  for (const { lines, setting } of cells)
    tag.mark(isHead ? 'TH' : 'TD', () => drawCell(writer, lines, y + PADDING, setting))
  document.moveTo(SHEET.left, y + height).lineTo(SHEET.left + TEXT_WIDTH, y + height)
  document.lineWidth(0.6).stroke(COLOURS.rule)
  writer.y = y + height
}

function drawCell(writer: PageWriter, lines: readonly Line[], top: number, setting: Setting): void {
  for (const [i, line] of lines.entries()) writer.drawLine(line, top + i * setting.leading, setting)
}

/** Divides the width by the amount of text in each column. */
function columnsOf({ head, rows }: Table): Column[] {
  const letters = head.map((_, i) => {
    const lengths = [head, ...rows].map((row) => plainText(row[i] ?? []).length)
    return Math.min(MAX_LETTERS, Math.max(MIN_LETTERS, ...lengths))
  })
  const total = letters.reduce((sum, count) => sum + count, 0)
  const spare = TEXT_WIDTH - MIN_WIDTH * letters.length
  let x: number = SHEET.left
  return letters.map((count) => {
    const column = { x, width: MIN_WIDTH + (spare * count) / total }
    x += column.width
    return column
  })
}
