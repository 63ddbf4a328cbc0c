import type { Word } from './page-content.ts'

/** A line of a page: its words joined, and its position in fractions of the page. */
type Line = { text: string; left: number; top: number; height: number; right: number }

/**
 * Lines further apart than this multiple of the median distance separate paragraphs; leading within one varies less.
 */
const PARAGRAPH_GAP = 1.4
/** Lines closer than this multiple of their height belong together, whatever the median distance. */
const LINE_GAP = 1.3
/** A heading is larger or smaller than its surroundings by at least this factor. */
const SIZE_CHANGE = 1.25
/** Indent of a paragraph's first line in fractions of the page's width: less is unevenness, more is a column. */
const MIN_INDENT = 0.012
const MAX_INDENT = 0.08
/** Marks that can end a paragraph, in the scripts that have them. */
const SENTENCE_END = /[.!?:;…。！？؟۔।]["'”’»)\]]*$/

/**
 * Returns the text of a page for reading: one line per paragraph, with an empty line between paragraphs. Paragraphs are
 * recognized by distance, size and indent of the lines, because the file does not mark them. Words
 * hyphenated at the end of a line are joined.
 */
export function pageText(words: readonly Word[]): string {
  const lines = linesOf(words.filter(isOnPage))
  const distance = medianDistance(lines)
  return lines
    .reduce<string[]>((paragraphs, line, at) => {
      const last = paragraphs.length - 1
      if (at === 0 || isBreak(lines[at - 1], line, distance)) paragraphs.push(line.text)
      else paragraphs[last] = joined(paragraphs[last], line.text)
      return paragraphs
    }, [])
    .join('\n\n')
}

/** Joins words in reading order to one paragraph. */
export function joinLines(words: readonly Word[]): string {
  return linesOf(words).reduce((text, line, at) => (at === 0 ? line.text : joined(text, line.text)), '')
}

/** Returns false for words outside the shown part of the page, such as printers' marks. */
export function isOnPage({ width, height }: Word): boolean {
  return width > 0 && height > 0
}

function linesOf(words: readonly Word[]): Line[] {
  const lines: Line[] = []
  let current = -1
  for (const { text, line, x, y, width, height } of words) {
    if (line !== current) lines.push({ text, left: x, top: y, height, right: x + width })
    else {
      const known = lines.at(-1)!
      known.text += ` ${text}`
      known.left = Math.min(known.left, x)
      known.right = Math.max(known.right, x + width)
      known.top = Math.min(known.top, y)
      known.height = Math.max(known.height, height)
    }
    current = line
  }
  return lines
}

/** Returns the median distance from one line down to the next; infinity if no line follows another. */
function medianDistance(lines: readonly Line[]): number {
  const steps = lines.slice(1).map(({ top }, at) => top - lines[at].top)
  const down = steps.filter((step) => step > 0).sort((a, b) => a - b)
  return down.length === 0 ? Number.POSITIVE_INFINITY : down[down.length >> 1]
}

function isBreak(before: Line, line: Line, distance: number): boolean {
  const step = line.top - before.top
  const [smaller, larger] = [before.height, line.height].sort((a, b) => a - b)
  // Lines of a large heading are further apart than those of the text, and belong together.
  if (step > Math.max(PARAGRAPH_GAP * distance, LINE_GAP * smaller) || larger > SIZE_CHANGE * smaller) return true
  if (!SENTENCE_END.test(before.text)) return false
  const indent = line.left - before.left
  // The last line of a paragraph ends early; at the end of a column the indent says nothing.
  const endsEarly = before.right < line.right - MAX_INDENT
  return endsEarly || (step > 0 && indent >= MIN_INDENT && indent <= MAX_INDENT)
}

/** Joins two lines. A hyphen before a lower-case letter divides a word; before anything else it belongs to the text. */
function joined(before: string, after: string): string {
  return /\p{L}-$/u.test(before) && /^\p{Ll}/u.test(after) ? before.slice(0, -1) + after : `${before} ${after}`
}
