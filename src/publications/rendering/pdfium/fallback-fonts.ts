import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type Pdfium, type Pointer, viewMemory } from './pdfium.ts'

/** A font file for text whose fonts a document does not embed. */
export type FallbackFont = { path: string; charsets: number[]; isBold: boolean }

/** Character sets as PDFium asks for them: the sets of Windows fonts (`FXFONT_…_CHARSET` of fpdf_sysfontinfo.h). */
const SHIFT_JIS = 128
const HANGUL = 129
const GB_2312 = 134
const BIG_5 = 136
const GREEK = 161
const VIETNAMESE = 163
const HEBREW = 177
const ARABIC = 178
const CYRILLIC = 204
const EAST_EUROPEAN = 238

/** Noto fonts, SIL Open Font License 1.1, as OpenType files in npm packages. */
const packages: { name: string; regular: string; bold: string; charsets: number[] }[] = [
  noto('jp', 'NotoSansJP', 'otf', [SHIFT_JIS]),
  noto('kr', 'NotoSansKR', 'otf', [HANGUL]),
  noto('sc', 'NotoSansHans', 'otf', [GB_2312]),
  noto('tc', 'NotoSansHant', 'otf', [BIG_5]),
  noto('arabic', 'NotoNaskhArabic', 'ttf', [ARABIC]),
  noto('hebrew', 'NotoSansHebrew', 'ttf', [HEBREW]),
  noto('latin', 'NotoSans', 'ttf', [GREEK, VIETNAMESE, CYRILLIC, EAST_EUROPEAN]),
]

function noto(name: string, family: string, type: string, charsets: number[]) {
  return {
    name: `@embedpdf/fonts-${name}`,
    regular: `${family}-Regular.${type}`,
    bold: `${family}-Bold.${type}`,
    charsets,
  }
}

/**
 * Finds the fonts of the installed packages, as seen from the module at `from`. Without any, text in fonts that a
 * document does not embed shows in PDFium's own Latin ones, and characters that they lack do not show.
 */
export function findFallbackFonts(from: string): FallbackFont[] {
  return packages.flatMap(({ name, regular, bold, charsets }) => {
    const folder = folderOf(name, from)
    if (folder === undefined) return []
    return [regular, bold]
      .map((file) => ({ path: join(folder, 'fonts', file), charsets, isBold: file === bold }))
      .filter(({ path }) => existsSync(path))
  })
}

function folderOf(name: string, from: string): string | undefined {
  try {
    return dirname(dirname(createRequire(from).resolve(name)))
  } catch {
    return undefined
  }
}

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
