import { foldLetters } from './fold-letters.ts'

/** The range of a hit in a text, in UTF-16 code units; the end is exclusive. */
type Hit = { from: number; to: number }

/** The text around a hit, and the range of the hit in it. */
export type Snippet = { text: string; from: number; to: number }

/** Characters shown before and after a hit: a line in a list of results. */
const BEFORE = 40
const AFTER = 80

/** Length of the first piece to be folded, in UTF-16 code units: some lines of a page. */
const FIRST_STEP = 400

/** Folds text for comparison: letters folded, white space collapsed to one space. */
export function foldForSearch(text: string): string {
  return foldLetters(text).replace(/\s+/g, ' ').trim()
}

/** Counts the occurrences of a folded query in a folded text, without overlaps. */
export function countHits(foldedText: string, foldedQuery: string): number {
  if (foldedQuery === '') return 0
  let count = 0
  for (let at = foldedText.indexOf(foldedQuery); at >= 0; at = foldedText.indexOf(foldedQuery, at + foldedQuery.length))
    count++
  return count
}

/** Finds the first hits in a text as written. */
export function findHits(text: string, foldedQuery: string, limit: number): Hit[] {
  const hits: Hit[] = []
  if (foldedQuery === '') return hits
  let searchedTo = 0
  for (const { folded, origins, isWhole } of foldInSteps(text)) {
    for (let at = folded.indexOf(foldedQuery, searchedTo); at >= 0; at = folded.indexOf(foldedQuery, searchedTo)) {
      const end = at + foldedQuery.length
      // The end of the hit is the origin of the next letter.
      if (end === folded.length && !isWhole) break
      hits.push({ from: origins[at], to: origins[end] ?? text.length })
      if (hits.length === limit) return hits
      searchedTo = end
    }
    searchedTo = Math.max(searchedTo, folded.length - foldedQuery.length)
  }
  return hits
}

/** Returns the text around a hit, cut between words and on one line. */
export function snippetOf(text: string, hit: Hit): Snippet {
  const start = hit.from <= BEFORE ? 0 : hit.from - BEFORE
  const before = onOneLine(text.slice(start, hit.from)).replace(start === 0 ? /^\s+/ : /^\S*\s+/, '')
  const found = onOneLine(text.slice(hit.from, hit.to)).trimEnd()
  const rest = onOneLine(text.slice(hit.from + found.length, hit.to + AFTER))
  const after = hit.to + AFTER < text.length ? rest.replace(/\s+\S*$/, '') : rest.trimEnd()
  return { text: (before + found + after).toWellFormed(), from: before.length, to: before.length + found.length }
}

/**
 * Folds a text in growing pieces, with the origin of each folded character: a letter may become several, and white space
 * and marks none. The pieces double, because folding a whole text costs more than finding a hit at its beginning.
 */
function* foldInSteps(text: string): Generator<{ folded: string; origins: number[]; isWhole: boolean }> {
  let folded = ''
  const origins: number[] = []
  let at = 0
  let stepEnd = FIRST_STEP
  for (const letter of text) {
    if (at >= stepEnd) {
      yield { folded, origins, isWhole: false }
      stepEnd *= 2
    }
    const plain = /\s/.test(letter) ? ' ' : foldLetters(letter)
    if (plain !== ' ' || (folded !== '' && !folded.endsWith(' '))) {
      folded += plain
      for (let index = 0; index < plain.length; index++) origins.push(at)
    }
    at += letter.length
  }
  yield { folded, origins, isWhole: true }
}

function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ')
}
