import { closeSync, openSync, readSync, statSync } from 'node:fs'
import type { FallbackFont } from './fallback-fonts.ts'
import { type Pdfium, viewMemory } from './pdfium.ts'
import type { Pointer } from './pdfium-exports.ts'

/** PDFium asks the system for a bold font from here on. */
const BOLD_WEIGHT = 600

/**
 * Gives PDFium fonts for text whose font is not in the document, in place of a system's fonts, which it does not see.
 * A font is read from its file only when a document needs it, straight into PDFium's memory.
 */
export function provideFonts(pdfium: Pdfium, fonts: FallbackFont[]) {
  // The fields of FPDF_SYSFONTINFO in their order; a font's handle is its place in the list, from 1.
  // Each is a function of its own: the same one twice would get one signature.
  const info: [(...args: number[]) => number | undefined, string][] = [
    [() => undefined, 'vi'], // Release
    [() => undefined, 'vii'], // EnumFonts
    [(_info, weight, _italic, charset) => findFont(fonts, charset, weight) + 1, 'iiiiiiii'], // MapFont
    [() => 0, 'iii'], // GetFont
    [(_info, font, table, buffer, size) => readFont(pdfium, fonts[font - 1], table, buffer, size), 'iiiiii'], // GetFontData
    [() => 0, 'iiiii'], // GetFaceName
    [(_info, font) => fonts[font - 1]?.charsets[0] ?? 0, 'iii'], // GetFontCharset
    [() => undefined, 'vii'], // DeleteFont
  ]
  // PDFium keeps the pointer for good, so that the memory is never freed.
  const pointer = pdfium.malloc(4 * (info.length + 1))
  const callbacks = info.map(([callback, signature]) => pdfium.addCallback(callback, signature))
  const fields = viewMemory(pdfium, pointer, 4 * (info.length + 1))
  for (const [index, value] of [1, ...callbacks].entries()) fields.setUint32(4 * index, value, true)
  pdfium.FPDF_SetSystemFontInfo(pointer)
}

/** -1 when there is none, and PDFium takes one of its own. */
function findFont(fonts: FallbackFont[], charset: number, weight: number): number {
  const isBold = weight >= BOLD_WEIGHT
  const exact = fonts.findIndex((font) => font.charsets.includes(charset) && font.isBold === isBold)
  return exact >= 0 ? exact : fonts.findIndex((font) => font.charsets.includes(charset))
}

/** Tells the file's size, and fills the buffer when it is large enough. Single tables of it are not given: 0. */
function readFont(pdfium: Pdfium, font: FallbackFont | undefined, table: number, buffer: Pointer, size: number) {
  if (font === undefined || table !== 0) return 0
  const bytes = statSync(font.path).size
  if (buffer === 0 || size >>> 0 < bytes) return bytes
  const file = openSync(font.path, 'r')
  try {
    return readSync(file, new Uint8Array(pdfium.memory.buffer, buffer >>> 0, bytes), 0, bytes, 0)
  } finally {
    closeSync(file)
  }
}
