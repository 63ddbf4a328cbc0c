import type { Word } from './page-content.ts'

/** A line of a page: its words joined, and where it lies, in parts of the page. */
type Line = { text: string; left: number; top: number; height: number; right: number }

/** Lines further apart than this many times the usual distance part paragraphs; leading within one varies by less. */
const PARAGRAPH_GAP = 1.4
/** Lines closer than this many times their height are set solid, whatever is usual on the page. */
const LINE_GAP = 1.3
/** A heading is at least this much larger than what is around it, or smaller. */
const SIZE_CHANGE = 1.25
/** How far the first line of a paragraph is moved in, in parts of the page's width: less is unevenness, more a column. */
const MIN_INDENT = 0.012
const MAX_INDENT = 0.08
/** What a paragraph may end with, in the scripts that have marks for it. */
const SENTENCE_END = /[.!?:;…。！？؟۔।]["'”’»)\]]*$/

/**
 * The text of a page for reading it: a paragraph is one line, an empty line is between paragraphs. They are told by
 * distance, size and indent of the lines, for the file says nothing of them; words divided at a line's end are joined.
 */
export function pageText(words: readonly Word[]): string {
  const lines = linesOf(words.filter(isOnPage))
  const distance = usualDistance(lines)
  return lines
    .reduce<string[]>((paragraphs, line, at) => {
      const last = paragraphs.length - 1
      if (at === 0 || isBreak(lines[at - 1], line, distance)) paragraphs.push(line.text)
      else paragraphs[last] = joined(paragraphs[last], line.text)
      return paragraphs
    }, [])
    .join('\n\n')
}

/** Printers' marks, for one, lie beside the part of the page that is shown. */
function isOnPage({ width, height }: Word): boolean {
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

/** The median step from one line down to the next; endless where no line follows another. */
function usualDistance(lines: readonly Line[]): number {
  const steps = lines.slice(1).map(({ top }, at) => top - lines[at].top)
  const down = steps.filter((step) => step > 0).sort((a, b) => a - b)
  return down.length === 0 ? Number.POSITIVE_INFINITY : down[down.length >> 1]
}

function isBreak(before: Line, line: Line, distance: number): boolean {
  const step = line.top - before.top
  const [smaller, larger] = [before.height, line.height].sort((a, b) => a - b)
  // The lines of a large heading are further apart than those of the text, and belong together.
  if (step > Math.max(PARAGRAPH_GAP * distance, LINE_GAP * smaller) || larger > SIZE_CHANGE * smaller) return true
  if (!SENTENCE_END.test(before.text)) return false
  const indent = line.left - before.left
  // The last line of a paragraph ends early; where a column ends nothing can be said of the indent.
  const endsEarly = before.right < line.right - MAX_INDENT
  return endsEarly || (step > 0 && indent >= MIN_INDENT && indent <= MAX_INDENT)
}

/** A hyphen before a small letter divides a word; before anything else it belongs to the text. */
function joined(before: string, after: string): string {
  return /\p{L}-$/u.test(before) && /^\p{Ll}/u.test(after) ? before.slice(0, -1) + after : `${before} ${after}`
}
