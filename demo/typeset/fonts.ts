import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Inline } from './markdown.ts'

/** The names of a document's fonts, by style. */
export const FONTS = { plain: 'text', bold: 'text-bold', code: 'Courier', light: 'text-light' } as const

const FOLDER = fileURLToPath(new URL('../../node_modules/@embedpdf/fonts-latin/fonts/', import.meta.url))
/** Noto Sans from an optional package. Without it, Helvetica, which every PDF reader has. */
const FILES = {
  [FONTS.plain]: ['NotoSans-Regular.ttf', 'Helvetica'],
  [FONTS.bold]: ['NotoSans-SemiBold.ttf', 'Helvetica-Bold'],
  [FONTS.light]: ['NotoSans-Light.ttf', 'Helvetica'],
} as const

/** Registers the fonts with a document. */
export function registerFonts(document: PDFKit.PDFDocument): void {
  for (const [name, [file, standIn]] of Object.entries(FILES)) {
    const path = join(FOLDER, file)
    document.registerFont(name, existsSync(path) ? path : standIn)
  }
}

/** The characters of the standard code font: Windows code page 1252. */
const CODE_LETTERS = /^[\x20-\x7e\xa0-\xff…–—‘’“”•€]*$/

/** Chooses the font for a text. Code with characters that its font lacks is set like other text. */
export function fontOf(text: string, style: Inline['style']): string {
  return style === 'code' && !CODE_LETTERS.test(text) ? FONTS.plain : FONTS[style]
}
