import type { Inline } from './markdown.ts'

/** A run of one style on a line, with its start. */
export type Run = Inline & { x: number; width: number }
export type Line = Run[]

/** Measures the width of a text in the style of a run. */
export type MeasureText = (text: string, style: Inline['style']) => number

type Word = { parts: Inline[]; spaceBefore: boolean }

/** Breaks text into lines of at most this width, between words. A word wider than a line is cut. */
export function layOutText(text: readonly Inline[], width: number, measure: MeasureText): Line[] {
  const space = measure(' ', 'plain')
  const lines: Line[] = []
  let line: Line = []
  let x = 0
  for (const word of wordsOf(text).flatMap((whole) => fitting(whole, width, measure))) {
    const wordWidth = widthOf(word, measure)
    const last = line.at(-1)
    const isWithinCode = last?.style === 'code' && word.parts[0].style === 'code'
    const gap = last === undefined || !word.spaceBefore ? 0 : isWithinCode ? measure(' ', 'code') : space
    if (line.length > 0 && x + gap + wordWidth > width) {
      lines.push(line)
      line = []
      x = 0
    } else x += gap
    for (const part of word.parts) {
      const partWidth = measure(part.text, part.style)
      line.push({ ...part, x, width: partWidth })
      x += partWidth
    }
  }
  if (line.length > 0) lines.push(line)
  return lines.map(joined)
}

/** Splits text into words at spaces. A word may contain several styles. */
function wordsOf(text: readonly Inline[]): Word[] {
  const words: Word[] = []
  let spaceBefore = true
  for (const { text: content, ...style } of text) {
    for (const piece of content.split(/( +)/)) {
      if (piece === '') continue
      if (piece.trim() === '') {
        spaceBefore = true
        continue
      }
      if (spaceBefore) words.push({ parts: [], spaceBefore })
      words.at(-1)!.parts.push({ ...style, text: piece })
      spaceBefore = false
    }
  }
  return words
}

function widthOf({ parts }: Word, measure: MeasureText): number {
  return parts.reduce((sum, part) => sum + measure(part.text, part.style), 0)
}

/** Returns the word if it fits on a line, otherwise pieces that do. */
function fitting(word: Word, width: number, measure: MeasureText): Word[] {
  if (widthOf(word, measure) <= width) return [word]
  const pieces = word.parts.flatMap((part) => [...part.text].map((text) => ({ ...part, text })))
  const words: Word[] = []
  let filled = Number.POSITIVE_INFINITY
  for (const piece of pieces) {
    const pieceWidth = measure(piece.text, piece.style)
    if (filled + pieceWidth > width) {
      words.push({ parts: [], spaceBefore: words.length === 0 && word.spaceBefore })
      filled = 0
    }
    words.at(-1)!.parts.push(piece)
    filled += pieceWidth
  }
  return words
}

/**
 * Joins neighbours of one style into one run, including spaces, so that screen readers and search see whole sentences.
 */
function joined(runs: Line): Line {
  const result: Line = []
  for (const run of runs) {
    const last = result.at(-1)
    const gap = last === undefined ? 0 : run.x - last.x - last.width
    if (last === undefined || last.style !== run.style || last.link !== run.link) {
      result.push({ ...run })
      continue
    }
    last.text += (gap > 0.01 ? ' ' : '') + run.text
    last.width = run.x + run.width - last.x
  }
  return result
}
