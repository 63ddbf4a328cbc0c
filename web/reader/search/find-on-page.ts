import { foldLetters } from '../../../src/publications/domain/fold-letters.ts'
import type { Box, Word } from '../document/page-words.ts'

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
    const end = at + needle.length
    while (word + 1 < starts.length && starts[word + 1].at <= at) word++
    const boxes: Box[] = []
    for (let index = word; index < starts.length && starts[index].at < end; index++) {
      const { at: start, length } = starts[index]
      const box = partOf(words[index], Math.max(at - start, 0) / length, Math.min(end - start, length) / length)
      if (box.width > 0) boxes.push(box)
    }
    if (boxes.length > 0) hits.push(boxes)
  }
  return hits
}

function joinWords(words: readonly Word[]): { text: string; starts: { at: number; length: number }[] } {
  let text = ''
  const starts = words.map((word, index) => {
    const next = words[index + 1]
    const isHyphenated =
      next !== undefined && next.line !== word.line && /\p{L}-$/u.test(word.text) && /^\p{Ll}/u.test(next.text)
    const folded = foldLetters(isHyphenated ? word.text.slice(0, -1) : word.text)
    const start = { at: text.length, length: Math.max(folded.length, 1) }
    text += isHyphenated ? folded : `${folded} `
    return start
  })
  return { text, starts }
}

function partOf({ x, y, width, height }: Word, from: number, to: number): Box {
  return { x: x + width * from, y, width: width * Math.max(to - from, 0), height }
}
