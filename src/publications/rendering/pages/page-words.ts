import type { Box, Word } from '../../domain/page-content.ts'
import { type Pdfium, withCells } from '../pdfium/pdfium.ts'
import type { Pointer } from '../pdfium/pdfium-exports.ts'
import { boxAround, type ToBox } from './page-geometry.ts'

/** The text of a page, in the order of the file. */
export type PageWords = { words: Word[]; isTruncated: boolean }

/** A dense newspaper page has about 10,000 words. A page beyond this is an attack, or a map. */
const MAX_WORDS = 20_000

/** In scripts without spaces a paragraph is one word; it is split so that its boxes stay useful. */
const MAX_WORD_LENGTH = 64

/** Character codes of PDFium for a hyphen that divides a word at the end of a line, which also end the line. */
const LINE_END_HYPHENS = new Set([0x02, 0xfffe])
const LINE_BREAKS = new Set([0x0a, 0x0d])

type Letters = { text: string; boxes: Box[] }

/** Reads the words of a page's loaded text (`FPDFText_LoadPage`), from its first `maxCharacters`. */
export function readWords(pdfium: Pdfium, textPage: Pointer, toBox: ToBox, maxCharacters: number): PageWords {
  const count = Math.min(pdfium.FPDFText_CountChars(textPage), maxCharacters)
  const words: Word[] = []
  let line = 0
  let isLineEmpty = true
  let letters: Letters = { text: '', boxes: [] }

  function endWord() {
    const { text, boxes } = letters
    letters = { text: '', boxes: [] }
    if (boxes.length === 0) return
    words.push({ text: text.toWellFormed(), line, ...boxAround(boxes) })
    isLineEmpty = false
  }

  function endLine() {
    endWord()
    if (!isLineEmpty) line++
    isLineEmpty = true
  }

  withCells(pdfium, 4, (rect, cells) => {
    for (let index = 0; index < count && words.length < MAX_WORDS; index++) {
      const code = pdfium.FPDFText_GetUnicode(textPage, index)
      const letter = letterOf(code)
      if (LINE_BREAKS.has(code)) endLine()
      else if (letter === '') endWord()
      else {
        letters.text += letter
        if (pdfium.FPDFText_GetLooseCharBox(textPage, index, rect) !== 0) letters.boxes.push(readRect(cells(), toBox))
        if (LINE_END_HYPHENS.has(code)) endLine()
        else if (letters.text.length >= MAX_WORD_LENGTH) endWord()
      }
    }
  })
  endWord()
  return { words, isTruncated: words.length >= MAX_WORDS || pdfium.FPDFText_CountChars(textPage) > count }
}

/** Reads an `FS_RECTF`: left, top, right, bottom as floats. */
export function readRect(cells: DataView, toBox: ToBox): Box {
  const [left, top, right, bottom] = [0, 4, 8, 12].map((offset) => cells.getFloat32(offset, true))
  return toBox(left, top, right, bottom)
}

/** Returns the letter of a character code; empty for a separator. Codes above U+FFFF arrive as two halves, or as one. */
function letterOf(code: number): string {
  if (LINE_END_HYPHENS.has(code)) return '-'
  if (code <= 0x20 || (code >= 0x7f && code <= 0xa0)) return ''
  const letter = code > 0x10ffff ? '' : code > 0xffff ? String.fromCodePoint(code) : String.fromCharCode(code)
  return /\s/.test(letter) ? '' : letter
}
