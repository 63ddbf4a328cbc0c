import { drawCode } from './draw-code.ts'
import type { Entry } from './draw-contents.ts'
import { drawTable } from './draw-table.ts'
import { type Block, plainText } from './markdown.ts'
import type { PageWriter, Setting } from './page-writer.ts'
import { SHEET, TEXT_WIDTH, TYPE } from './sheet.ts'
import type { Tag } from './tag.ts'

const PARAGRAPH: Setting = { ...TYPE.text, x: SHEET.left, width: TEXT_WIDTH }
const BELOW_PARAGRAPH = 8
const ITEM_INDENT = 15
const DEEPEST_HEADING = 3

/** Writes blocks below each other, and returns the headings with their positions. */
export function writeBlocks(writer: PageWriter, blocks: readonly Block[], tag: Tag): Entry[] {
  const entries: Entry[] = []
  const outline = [writer.document.outline]
  for (const [i, block] of blocks.entries()) {
    if (block.kind === 'heading') {
      const entry = writeHeading(writer, block, tag)
      entries.push(entry)
      outline[entry.level - 1] = (outline[entry.level - 2] ?? outline[0]).addItem(entry.title)
      continue
    }
    writeBlock(writer, block, tag)
    if (block.kind === 'item' && blocks[i + 1]?.kind !== 'item') writer.y += BELOW_PARAGRAPH - 3
  }
  return entries
}

function writeHeading(writer: PageWriter, { level, text }: Extract<Block, { kind: 'heading' }>, tag: Tag): Entry {
  const depth = Math.min(level, DEEPEST_HEADING)
  const type = TYPE.heading[depth - 1]
  const setting: Setting = { ...PARAGRAPH, size: type.size, leading: type.leading, isBold: true }
  const title = plainText(text)
  const lines = writer.layOut([{ text: title, style: 'plain' }], setting)
  // A heading stays on the page of the text below it.
  writer.keepTogether(type.above + lines.length * type.leading + type.below + 3 * TYPE.text.leading)
  if (writer.y > SHEET.top) writer.y += type.above
  const { document, y } = writer
  const destination = anchorOf(title)
  document.addNamedDestination(destination, 'XYZ', SHEET.left, y, null)
  const page = document.bufferedPageRange().count
  tag.mark(`H${depth}`, () => writer.writeLines(lines, setting))
  writer.y += type.below
  return { title, level: depth, destination, page }
}

function writeBlock(writer: PageWriter, block: Exclude<Block, { kind: 'heading' }>, tag: Tag): void {
  if (block.kind === 'code') tag.mark('Code', () => drawCode(writer, block.lines))
  else if (block.kind === 'table') drawTable(writer, block, tag.within('Table'))
  else if (block.kind === 'item') writeItem(writer, block, tag)
  else {
    tag.mark('P', () => writer.writeLines(writer.layOut(block.text, PARAGRAPH), PARAGRAPH))
    writer.y += BELOW_PARAGRAPH
  }
}

function writeItem(writer: PageWriter, { marker, depth, text }: Extract<Block, { kind: 'item' }>, tag: Tag): void {
  const x = SHEET.left + (depth + 1) * ITEM_INDENT
  const setting = { ...PARAGRAPH, x, width: SHEET.left + TEXT_WIDTH - x }
  const lines = writer.layOut(text, setting)
  writer.keepTogether(Math.min(2, lines.length) * setting.leading)
  tag.mark('LI', () => {
    const bullet = { ...setting, x: x - ITEM_INDENT + 2 }
    writer.drawLine(writer.layOut([{ text: marker, style: 'plain' }], bullet)[0], writer.y, bullet)
    writer.writeLines(lines, setting)
  })
  writer.y += 3
}

/** Derives the anchor of a heading as GitHub does. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll(' ', '-')
}
