import type { Box, Word } from '../document/page-list.ts'

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
    const next = words[index + 1]
    const isHyphenated = next !== undefined && next.line !== line && /\p{L}-$/u.test(text) && /^\p{Ll}/u.test(next.text)
    current.words.push({ at: current.text.length, line })
    current.text += isHyphenated ? text.slice(0, -1) : `${text} `
    if (!isHyphenated && (END.test(text) || current.text.length >= MAX_CHARACTERS)) finish()
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
  if (inside.length === 0) return undefined
  const [left, top] = [Math.min(...inside.map(({ x }) => x)), Math.min(...inside.map(({ y }) => y))]
  const right = Math.max(...inside.map(({ x, width }) => x + width))
  const bottom = Math.max(...inside.map(({ y, height }) => y + height))
  return { x: left, y: top, width: right - left, height: bottom - top }
}
