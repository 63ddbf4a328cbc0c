import { withoutAccents } from '#platform/basics/text.ts'

/** The range of a hit in a text, in UTF-16 code units; the end is exclusive. */
type Hit = { from: number; to: number }

/** The text around a hit, and the range of the hit in it. */
export type Snippet = { text: string; from: number; to: number }

/** Characters shown before and after a hit: a line in a list of results. */
const BEFORE = 40
const AFTER = 80

/**
 * Length of the pieces in which a text is folded again to find the origin of a hit, in UTF-16 code units: some lines.
 */
const PIECE_LENGTH = 400

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

/** Finds the first hits in a text as written, whose folded form is given. */
export function findHits(text: string, foldedText: string, foldedQuery: string, limit: number): Hit[] {
  const hits: Hit[] = []
  if (foldedQuery === '') return hits
  const originOf = originsIn(text)
  for (
    let at = foldedText.indexOf(foldedQuery);
    at >= 0;
    at = foldedText.indexOf(foldedQuery, at + foldedQuery.length)
  ) {
    if (hits.length >= limit) break
    // The end of the hit is the origin of the next letter.
    hits.push({ from: originOf(at), to: originOf(at + foldedQuery.length) })
  }
  return hits
}

/** Returns the text around a hit, cut between words and on one line. */
export function snippetOf(text: string, hit: Hit): Snippet {
  const start = hit.from <= BEFORE ? 0 : hit.from - BEFORE
  const before = onOneLine(text.slice(start, hit.from)).replace(start === 0 ? /^\s+/ : /^\S*\s+/, '')
  const found = onOneLine(text.slice(hit.from, hit.to)).trimEnd()
  const rest = onOneLine(text.slice(hit.from + found.length, hit.to + AFTER))
  const after = hit.to + AFTER < text.length ? rest.replace(/(?<!\s)\s+\S*$/, '') : rest.trimEnd()
  return { text: (before + found + after).toWellFormed(), from: before.length, to: before.length + found.length }
}

/**
 * Returns a function that finds the origin of a position in the folded text; positions must ascend. A letter may become
 * several, and white space and marks none, so the text is folded again in pieces. Only the piece of the position is
 * then folded by letter, which takes a hundred times as long.
 */
function originsIn(text: string): (position: number) => number {
  let at = 0
  let foldedTo = 0
  let isAfterSpace = true

  return (position) => {
    while (at < text.length) {
      const piece = text.slice(at, pieceEnd(text, at))
      const folded = foldPiece(piece, isAfterSpace)
      if (position < foldedTo + folded.length) return at + originInPiece(piece, position - foldedTo, isAfterSpace)
      at += piece.length
      foldedTo += folded.length
      if (folded !== '') isAfterSpace = folded.endsWith(' ')
    }
    return text.length
  }
}

/** Returns the end of a piece, which may not divide a letter of two code units. */
function pieceEnd(text: string, start: number): number {
  const end = start + PIECE_LENGTH
  const code = text.charCodeAt(end - 1)
  return code >= 0xd800 && code < 0xdc00 ? end + 1 : end
}

function foldPiece(piece: string, isAfterSpace: boolean): string {
  const folded = foldLetters(piece).replace(/\s+/g, ' ')
  return isAfterSpace && folded.startsWith(' ') ? folded.slice(1) : folded
}

function originInPiece(piece: string, position: number, startsAfterSpace: boolean): number {
  let at = 0
  let length = 0
  let isAfterSpace = startsAfterSpace
  for (const letter of piece) {
    const folded = foldPiece(letter, isAfterSpace)
    length += folded.length
    if (position < length) return at
    if (folded !== '') isAfterSpace = folded.endsWith(' ')
    at += letter.length
  }
  return at
}

function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ')
}

/**
 * Folds letters for a search, identically on the server and in the reader: without case, accents and soft hyphens, with
 * plain apostrophes and quotation marks; compatibility forms, such as the ligature `ﬁ`, become their letters.
 */
export function foldLetters(text: string): string {
  return withoutAccents(text)
    .replace(/\u00ad/g, '')
    .replace(/[‘’‚′]/g, "'")
    .replace(/[“”„″]/g, '"')
    .toLowerCase()
}

/** The text of a page as written, and folded for comparison. */
export type SearchableText = { page: number; text: string; folded: string }

/** Folds the texts of pages for searches. Pages without any are left out. */
export function searchable(rows: readonly { page: number; text: string }[]): SearchableText[] {
  return rows
    .map(({ page, text }) => ({ page, text, folded: foldForSearch(text) }))
    .filter(({ folded }) => folded !== '')
}

/** The hits of a search. */
export type SearchResult = {
  hits: number
  /** Pages with hits, by number. */
  pages: { page: number; hits: number }[]
  /** Snippets of the first hits from a page on. */
  snippets: (Snippet & { page: number })[]
}

/** The first hits of a page show its subject. */
const MAX_SNIPPETS_PER_PAGE = 3

/**
 * Searches texts for a folded query. At most `room` snippets are made, for pages
 * from `fromPage` on: each takes some time.
 */
export function searchTexts(
  texts: readonly SearchableText[],
  foldedQuery: string,
  fromPage: number,
  room: number,
): SearchResult {
  const result: SearchResult = { hits: 0, pages: [], snippets: [] }
  for (const { page, text, folded } of texts) {
    const hits = countHits(folded, foldedQuery)
    if (hits === 0) continue
    result.hits += hits
    result.pages.push({ page, hits })
    const left = room - result.snippets.length
    if (page < fromPage || left === 0) continue
    const shown = findHits(text, folded, foldedQuery, Math.min(left, MAX_SNIPPETS_PER_PAGE))
    result.snippets.push(...shown.map((hit) => ({ page, ...snippetOf(text, hit) })))
  }
  return result
}
