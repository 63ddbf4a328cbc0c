import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { makePdf } from '../../../../test/support/make-pdf.ts'
import { renderPage } from '../pages/render-page.ts'
import { findFallbackFonts, provideFonts } from './fallback-fonts.ts'
import { loadPdfium } from './load-pdfium.ts'
import { bytesSource, openPdf } from './pdf-document.ts'

/** A page with Japanese text in a font that is not in the file. */
const japanese = makePdf({
  pages: [{ content: 'BT /F9 48 Tf 72 600 Td <82A082A282A4> Tj ET' }],
  resources: '/Font << /F9 10 0 R >>',
  objects: [
    '<< /Type /Font /Subtype /Type0 /BaseFont /Ryumin-Light /Encoding /90ms-RKSJ-H /DescendantFonts [11 0 R] >>',
    '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Ryumin-Light /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> /FontDescriptor 12 0 R >>',
    '<< /Type /FontDescriptor /FontName /Ryumin-Light /Flags 4 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 800 /Descent -200 /StemV 80 >>',
  ],
})

async function darkPixels(fonts: ReturnType<typeof findFallbackFonts>): Promise<number> {
  const pdfium = await loadPdfium({ maxMemoryBytes: 128 * 1024 * 1024 })
  provideFonts(pdfium, fonts)
  const { image } = renderPage(openPdf(pdfium, bytesSource(japanese)), 1, 600)
  return image.data.filter((value) => value < 128).length
}

describe('provideFonts', () => {
  const fonts = findFallbackFonts(import.meta.url)
  const skip = fonts.length === 0 && 'the packages with fonts are not installed'

  test('shows text whose font is not in the document', { skip }, async () => {
    assert.equal(await darkPixels([]), 0)
    assert.ok((await darkPixels(fonts)) > 500)
  })

  test('does without a font that is not there', async () => {
    assert.equal(await darkPixels([{ path: '/nowhere.otf', charsets: [1000], isBold: false }]), 0)
  })
})
