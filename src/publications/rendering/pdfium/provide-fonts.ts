import { closeSync, openSync, readSync, statSync } from 'node:fs'
import type { FallbackFont } from './fallback-fonts.ts'
import { type Pdfium, viewMemory } from './pdfium.ts'
import type { Pointer } from './pdfium-exports.ts'

/** PDFium requests a bold font from this weight on. */
const BOLD_WEIGHT = 600

/**
 * Provides PDFium with fonts for text whose font is not in the document, because it cannot see the fonts of the system.
 * A font is read from its file, straight into PDFium's memory, only when a document needs it.
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
  // PDFium keeps the pointer, so the memory is never freed.
  const pointer = pdfium.malloc(4 * (info.length + 1))
  const callbacks = info.map(([callback, signature]) => pdfium.addCallback(callback, signature))
  const fields = viewMemory(pdfium, pointer, 4 * (info.length + 1))
  for (const [index, value] of [1, ...callbacks].entries()) fields.setUint32(4 * index, value, true)
  pdfium.FPDF_SetSystemFontInfo(pointer)
}

/** Returns -1 if there is none; PDFium then uses one of its own. */
function findFont(fonts: FallbackFont[], charset: number, weight: number): number {
  const isBold = weight >= BOLD_WEIGHT
  const exact = fonts.findIndex((font) => font.charsets.includes(charset) && font.isBold === isBold)
  return exact >= 0 ? exact : fonts.findIndex((font) => font.charsets.includes(charset))
}

/**
 * Returns the file's size, and fills a buffer that is large enough. Returns 0 for single tables, which are not
 * supported.
 */
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
