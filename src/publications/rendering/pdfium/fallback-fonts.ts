import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** A font file for what a document does not bring along itself. */
export type FallbackFont = { path: string; charsets: number[]; isBold: boolean }

/** Character sets as PDFium asks for them: those of Windows fonts (`FXFONT_…_CHARSET` of fpdf_sysfontinfo.h). */
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
 * Finds the fonts of those packages that are installed, as seen from the module at `from`. Without any, text in fonts
 * that a document does not embed shows in PDFium's own Latin ones, and what those lack not at all.
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
