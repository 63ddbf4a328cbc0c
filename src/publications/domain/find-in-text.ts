import { foldLetters } from './fold-letters.ts'

/** Where a text has what was looked for, in its characters, the end not included. */
export type Hit = { from: number; to: number }

/** A piece of a text around a hit, and where in the piece the hit is. */
export type Snippet = { text: string; from: number; to: number }

/** How much stands around a hit: a line in a list of results. */
const BEFORE = 40
const AFTER = 80

/** Some lines of a page, in UTF-16 code units. */
const FIRST_STEP = 400

/** Text as it is compared: its letters folded, and one space where there is white space. */
export function foldForSearch(text: string): string {
  return foldLetters(text).replace(/\s+/g, ' ').trim()
}

/** How often a folded text has a folded query; what overlaps counts once. */
export function countHits(foldedText: string, foldedQuery: string): number {
  if (foldedQuery === '') return 0
  let count = 0
  for (let at = foldedText.indexOf(foldedQuery); at >= 0; at = foldedText.indexOf(foldedQuery, at + foldedQuery.length))
    count++
  return count
}

/** The first hits in a text as it was written. */
export function findHits(text: string, foldedQuery: string, limit: number): Hit[] {
  const hits: Hit[] = []
  if (foldedQuery === '') return hits
  let searchedTo = 0
  for (const { folded, origins, isWhole } of foldInSteps(text)) {
    for (let at = folded.indexOf(foldedQuery, searchedTo); at >= 0; at = folded.indexOf(foldedQuery, searchedTo)) {
      const end = at + foldedQuery.length
      // Where the hit ends is where the next letter begins.
      if (end === folded.length && !isWhole) break
      hits.push({ from: origins[at], to: origins[end] ?? text.length })
      if (hits.length === limit) return hits
      searchedTo = end
    }
    searchedTo = Math.max(searchedTo, folded.length - foldedQuery.length)
  }
  return hits
}

/** A hit with what stands around it, cut between words and on one line. */
export function snippetOf(text: string, hit: Hit): Snippet {
  const start = hit.from <= BEFORE ? 0 : hit.from - BEFORE
  const before = onOneLine(text.slice(start, hit.from)).replace(start === 0 ? /^\s+/ : /^\S*\s+/, '')
  const found = onOneLine(text.slice(hit.from, hit.to)).trimEnd()
  const rest = onOneLine(text.slice(hit.from + found.length, hit.to + AFTER))
  const after = hit.to + AFTER < text.length ? rest.replace(/\s+\S*$/, '') : rest.trimEnd()
  return { text: (before + found + after).toWellFormed(), from: before.length, to: before.length + found.length }
}

/**
 * A letter may become several, and white space and marks none: each folded character knows what it came from. First the
 * beginning of a text, then each time twice as much, because to fold it costs more than to find what is at its beginning.
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
