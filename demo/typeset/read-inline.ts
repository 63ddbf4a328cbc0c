import type { Inline } from './markdown.ts'

/** Matches a picture, code between backticks, a link, or bold text, tried in this order at each position. */
const MARKED = /!\[[^\]]*\]\([^)]*\)|`([^`]+)`|\[((?:[^\]]|`[^`]*`)+)\]\(([^)\s]+)\)|\*\*((?:[^*]|\*(?!\*))+)\*\*/g

/** Reads the styles of a Markdown paragraph that the project's own pages use. Omits pictures. */
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
