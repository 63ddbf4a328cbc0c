import type { Block } from './markdown.ts'
import { readInline } from './read-inline.ts'

const HEADING = /^(#{1,6})\s+(.*)$/
const ITEM = /^(\s*)(?:([-*])|(\d+\.))\s+(.*)$/
const FENCE = /^\s*```/
const TABLE_RULE = /^\|[\s:|-]+\|$/

/** Reads the Markdown of the project's own pages. Omits comments and HTML. */
export function readMarkdown(markdown: string): Block[] {
  const lines = markdown.replace(/<!--[\s\S]*?-->/g, '').split('\n')
  const blocks: Block[] = []
  for (let i = 0; i < lines.length; ) {
    const end = endOfBlock(lines, i)
    blocks.push(...readBlock(lines.slice(i, end)))
    i = end
  }
  return blocks
}

/** Finds the end of the block that starts at a line, at least one line further. */
function endOfBlock(lines: readonly string[], start: number): number {
  let end = start + 1
  if (FENCE.test(lines[start])) {
    while (end < lines.length && !FENCE.test(lines[end])) end++
    return end + 1
  }
  if (HEADING.test(lines[start]) || lines[start].trim() === '') return end
  const isTable = lines[start].startsWith('|')
  while (end < lines.length && goesOn(lines[end], isTable)) end++
  return end
}

function goesOn(line: string, isTable: boolean): boolean {
  if (line.trim() === '' || FENCE.test(line) || HEADING.test(line)) return false
  return isTable ? line.startsWith('|') : !ITEM.test(line) && !line.startsWith('|')
}

function readBlock(lines: readonly string[]): Block[] {
  const [first] = lines
  if (first.trim() === '' || first.startsWith('<')) return []
  if (FENCE.test(first)) return [{ kind: 'code', lines: lines.slice(1, -1).map((line) => line.trimEnd()) }]
  if (first.startsWith('|')) return [readTable(lines)]
  const heading = HEADING.exec(first)
  if (heading !== null) return [{ kind: 'heading', level: heading[1].length, text: readInline(heading[2]) }]
  const item = ITEM.exec(first)
  if (item === null) return paragraph(lines.map((line) => line.replace(/^>\s?/, '')).join(' '))
  const [, indent, , number, text] = item
  const whole = [text, ...lines.slice(1)].join(' ')
  return [{ kind: 'item', marker: number ?? '•', depth: Math.floor(indent.length / 2), text: readInline(whole) }]
}

function paragraph(markdown: string): Block[] {
  const text = readInline(markdown)
  return text.some((part) => part.text.trim() !== '') ? [{ kind: 'paragraph', text }] : []
}

function readTable(lines: readonly string[]): Block {
  const [head, ...rows] = lines.filter((line) => !TABLE_RULE.test(line)).map(cellsOf)
  return { kind: 'table', head, rows }
}

function cellsOf(line: string) {
  const cells = line
    .trim()
    .replace(/^\|/, '')
    .replace(/\|$/, '')
    .split(/(?<!\\)\|/)
  return cells.map(readInline)
}
