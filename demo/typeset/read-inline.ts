import type { Inline } from './markdown.ts'

/** A picture, code between backticks, a link, bold text; in this order at every place. */
const MARKED = /!\[[^\]]*\]\([^)]*\)|`([^`]+)`|\[((?:[^\]]|`[^`]*`)+)\]\(([^)\s]+)\)|\*\*((?:[^*]|\*(?!\*))+)\*\*/g

/** The styles of a paragraph of Markdown, as far as the project's own pages use them. Pictures are left out. */
export function readInline(markdown: string): Inline[] {
  const text = markdown.replace(/\s+/g, ' ').trim()
  const parts: Inline[] = []
  let at = 0
  const plain = (piece: string) => {
    if (piece !== '') parts.push({ text: piece.replace(/\\([\\|*_<>])/g, '$1'), style: 'plain' })
  }
  for (const match of text.matchAll(MARKED)) {
    plain(text.slice(at, match.index))
    parts.push(...marked(match))
    at = match.index + match[0].length
  }
  plain(text.slice(at))
  return parts
}

function marked([, code, label, address, bold]: RegExpExecArray): Inline[] {
  if (code !== undefined) return [{ text: code, style: 'code' }]
  if (label !== undefined) return readInline(label).map((part) => ({ ...part, link: address }))
  if (bold !== undefined) return readInline(bold).map((part) => ({ ...part, style: 'bold' as const }))
  return []
}
