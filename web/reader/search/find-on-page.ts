import { foldLetters } from '../../../src/publications/domain/fold-letters.ts'
import type { Word } from '../pages/page-words.ts'

/** A part of a word, in parts of the page. */
export type HitBox = { x: number; y: number; width: number; height: number }

/**
 * Where a page has a text: for each hit the boxes of the words, or parts of words, that it is made of. A word that is
 * divided at the end of a line is found whole.
 */
export function findOnPage(words: readonly Word[], query: string): HitBox[][] {
  const wanted = foldLetters(query).replace(/\s+/g, ' ').trim()
  if (wanted === '') return []
  const { text, starts } = joinWords(words)
  const hits: HitBox[][] = []
  let word = 0
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
    const end = at + wanted.length
    while (word + 1 < starts.length && starts[word + 1].at <= at) word++
    const boxes: HitBox[] = []
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
    const isDivided =
      next !== undefined && next.line !== word.line && /\p{L}-$/u.test(word.text) && /^\p{Ll}/u.test(next.text)
    const folded = foldLetters(isDivided ? word.text.slice(0, -1) : word.text)
    const start = { at: text.length, length: Math.max(folded.length, 1) }
    text += isDivided ? folded : `${folded} `
    return start
  })
  return { text, starts }
}

function partOf({ x, y, width, height }: Word, from: number, to: number): HitBox {
  return { x: x + width * from, y, width: width * Math.max(to - from, 0), height }
}
