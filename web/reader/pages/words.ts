import { request } from '../document/request-failure.ts'

/** A rectangle on a page, in fractions of the page's width and height. */
export type Box = { x: number; y: number; width: number; height: number }

/** A word and its box. */
export type Word = Box & { text: string; line: number }

/** Covers the pages around the current one. */
const MAX_CACHED_PAGES = 30

/** Returns a function that fetches the words of a page, and caches the words of recent pages. */
export function createWordLoader(address: string): (page: number) => Promise<Word[]> {
  const cache = new Map<number, Promise<Word[]>>()

  return (page) => {
    const loading = cache.get(page) ?? load(page)
    cache.delete(page)
    cache.set(page, loading)
    for (const oldest of cache.keys()) {
      if (cache.size <= MAX_CACHED_PAGES) break
      cache.delete(oldest)
    }
    return loading
  }

  function load(page: number): Promise<Word[]> {
    const words = fetchWords(`${address}${page}`)
    words.catch(() => cache.delete(page))
    return words
  }
}

async function fetchWords(address: string): Promise<Word[]> {
  const response = await request(address)
  const { words } = (await response.json()) as { words: Word[] }
  return words.filter(({ width, height }) => width > 0 && height > 0)
}

/** Returns whether a word goes on in the next line: it ends with a hyphen there, and the next one begins small. */
export function isHyphenated(words: readonly Word[], index: number): boolean {
  const [word, next] = [words[index], words[index + 1]]
  return next !== undefined && next.line !== word.line && /\p{L}-$/u.test(word.text) && /^\p{Ll}/u.test(next.text)
}

/**
 * Returns how far down its page each heading stands, in fractions of the page. The words of a heading may also stand in
 * the text: it is where they are largest. Undefined for a heading whose words are not on the page.
 */
export function headingTops(titles: readonly string[], words: readonly Word[]): (number | undefined)[] {
  const starts = new Map<number, Word>()
  let text = ''
  for (const word of words) {
    const letters = lettersOf(word.text)
    if (letters !== '') starts.set(text.length, word)
    text += letters
  }
  return titles.map((title) => {
    const letters = lettersOf(title)
    let largest: Word | undefined
    for (
      let at = letters === '' ? -1 : text.indexOf(letters);
      at !== -1;
      at = text.indexOf(letters, at + letters.length)
    ) {
      const end = at + letters.length
      const word = end === text.length || starts.has(end) ? starts.get(at) : undefined
      if (word !== undefined && word.height > (largest?.height ?? 0)) largest = word
    }
    return largest?.y
  })
}

/** Titles and pages may differ in case, spaces and punctuation. */
function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

/** A part of a page that is read aloud without a pause. */
export type Sentence = {
  text: string
  /** Start of each word in the text, with the number of its line on the page. */
  words: { at: number; line: number }[]
}

/** Browsers stop long texts after some seconds, and say where they are only between words. */
const MAX_CHARACTERS = 220
/** The end of a sentence, with the quotes and brackets that close it. */
const END = /[.!?…。！？][\p{Pe}\p{Pf}"'”’»]*$/u

/** Splits the words of a page into sentences. A word that is hyphenated at the end of a line is whole. */
export function sentencesOf(words: readonly Word[]): Sentence[] {
  const sentences: Sentence[] = []
  let current: Sentence = { text: '', words: [] }
  const finish = () => {
    if (current.text.trim() !== '') sentences.push({ ...current, text: current.text.trimEnd() })
    current = { text: '', words: [] }
  }
  for (const [index, { text, line }] of words.entries()) {
    const isCut = isHyphenated(words, index)
    current.words.push({ at: current.text.length, line })
    current.text += isCut ? text.slice(0, -1) : `${text} `
    if (!isCut && (END.test(text) || current.text.length >= MAX_CHARACTERS)) finish()
  }
  finish()
  return sentences
}

/** Returns the line of the word that a character of a sentence belongs to. */
export function lineAt({ words }: Sentence, character: number): number {
  return (words.findLast(({ at }) => at <= character) ?? words[0]).line
}

/** Returns the box around a line of a page; undefined if no word is in it. */
export function boxOfLine(words: readonly Word[], line: number): Box | undefined {
  const inside = words.filter((word) => word.line === line)
  return inside.length === 0 ? undefined : boxAround(inside)
}

function boxAround(words: readonly Box[]): Box {
  const [left, top] = [Math.min(...words.map(({ x }) => x)), Math.min(...words.map(({ y }) => y))]
  const right = Math.max(...words.map(({ x, width }) => x + width))
  const bottom = Math.max(...words.map(({ y, height }) => y + height))
  return { x: left, y: top, width: right - left, height: bottom - top }
}

/** The height at which a line is marked, in fractions of the page. */
export type Band = { top: number; bottom: number }

/** Share of its height that a line keeps where the next one begins within it. */
const MIN_BAND_SHARE = 0.4

/** Returns the band of each word: as high as its line, up to the next one, as two on each other would be darker. */
export function bandsOf(words: readonly Word[]): Band[] {
  const bands = new Array<Band>(words.length)
  let below: (Band & { left: number; right: number }) | undefined
  for (let end = words.length, first = end; end > 0; end = first) {
    while (first > 0 && words[first - 1].line === words[end - 1].line) first--
    const { x: left, y: top, width, height } = boxAround(words.slice(first, end))
    const [right, bottom] = [left + width, top + height]
    const isBeside = below !== undefined && below.left < right && below.right > left
    const isCut = isBeside && below!.top < bottom && below!.top > top + MIN_BAND_SHARE * (bottom - top)
    const band = { top, bottom: isCut ? below!.top : bottom }
    bands.fill(band, first, end)
    below = { ...band, left, right }
  }
  return bands
}

/** A word or a part of one, across the page, with the band of its line. */
type MarkedPart = { x: number; width: number; band: Band }

/** Times the height of a line; wider spaces are between columns and cells. */
const MAX_GAP = 2

/**
 * Joins parts that follow each other on a line into one box, without the gaps between their words.
 * @param aspect the height of the page divided by its width
 */
export function joinParts(parts: readonly MarkedPart[], aspect: number): Box[] {
  const boxes: Box[] = []
  for (const { x, width, band } of parts) {
    const height = band.bottom - band.top
    const box = boxes.at(-1)
    const gap = box && Math.max(x - (box.x + box.width), box.x - (x + width))
    if (box?.y === band.top && gap! < MAX_GAP * height * aspect) {
      const right = Math.max(box.x + box.width, x + width)
      box.x = Math.min(box.x, x)
      box.width = right - box.x
    } else boxes.push({ x, y: band.top, width, height })
  }
  return boxes
}

/** Places an element over a box of its page. */
export function placeOver({ style }: HTMLElement, { x, y, width, height }: Box): void {
  style.left = `${x * 100}%`
  style.top = `${y * 100}%`
  style.width = `${width * 100}%`
  style.height = `${height * 100}%`
}
