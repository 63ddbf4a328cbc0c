import { foldLetters } from '../../../src/publications/search/find-in-text.ts'
import { element } from '../elements.ts'
import { type Box, bandsOf, isHyphenated, joinParts, placeOver, type Word } from '../pages/words.ts'

/**
 * Finds a text on a page. Each hit is a list of boxes, one for each word or part of a word it covers. A word hyphenated
 * at the end of a line matches as a whole.
 */
export function findOnPage(words: readonly Word[], query: string): Box[][] {
  const needle = foldLetters(query).replace(/\s+/g, ' ').trim()
  if (needle === '') return []
  const { text, starts } = joinWords(words)
  const hits: Box[][] = []
  let word = 0
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length)) {
    while (word + 1 < starts.length && starts[word + 1].at <= at) word++
    const parts = partsBetween(at, at + needle.length, word, words, starts)
    if (parts.length > 0) hits.push(parts.map(({ box }) => box))
  }
  return hits
}

/**
 * Finds a passage of a page by its first and last words.
 * @param last empty if the first words are all of it
 * @param aspect the height of the page divided by its width
 * @returns a box for each line, or each part of it between wide gaps; none if the passage is not there
 */
export function findPassage(words: readonly Word[], first: string, last: string, aspect: number): Box[] {
  const { text, starts } = joinWords(words)
  const [opening, closing] = [first, last].map((part) => foldLetters(part).replace(/\s+/g, ' ').trim())
  const at = opening === '' ? -1 : text.indexOf(opening)
  const closingAt = text.indexOf(closing, at + opening.length)
  if (at < 0 || closingAt < 0) return []
  const end = closing === '' ? at + opening.length : closingAt + closing.length
  const word = starts.findLastIndex((start) => start.at <= at)
  const bands = bandsOf(words)
  const parts = partsBetween(at, end, word, words, starts)
  return joinParts(
    parts.map(({ index, box }) => ({ ...box, band: bands[index] })),
    aspect,
  )
}

type WordStart = { at: number; length: number }

/** The box of a word or of a part of it, and the index of the word. */
type WordPart = { index: number; box: Box }

/** Returns the words of a part of the joined text, which begins in the word with the index `from`. */
function partsBetween(at: number, end: number, from: number, words: readonly Word[], starts: WordStart[]): WordPart[] {
  const parts: WordPart[] = []
  for (let index = from; index < starts.length && starts[index].at < end; index++) {
    const { at: start, length } = starts[index]
    const box = partOf(words[index], Math.max(at - start, 0) / length, Math.min(end - start, length) / length)
    if (box.width > 0) parts.push({ index, box })
  }
  return parts
}

function joinWords(words: readonly Word[]): { text: string; starts: WordStart[] } {
  let text = ''
  const starts = words.map((word, index) => {
    const isCut = isHyphenated(words, index)
    const folded = foldLetters(isCut ? word.text.slice(0, -1) : word.text)
    const start = { at: text.length, length: Math.max(folded.length, 1) }
    text += isCut ? folded : `${folded} `
    return start
  })
  return { text, starts }
}

function partOf({ x, y, width, height }: Word, from: number, to: number): Box {
  return { x: x + width * from, y, width: width * Math.max(to - from, 0), height }
}

/** Makes the mark of a box over a page. */
export function mark(box: Box, isCurrent: boolean): HTMLElement {
  const made = element('div', { class: isCurrent ? 'hit current' : 'hit' })
  placeOver(made, box)
  return made
}
