import { loadPdfium } from '../../src/publications/rendering/pdfium/load-pdfium.ts'
import { bytesSource, openPdf, type PdfDocument } from '../../src/publications/rendering/pdfium/pdf-document.ts'
import type { Pdfium } from '../../src/publications/rendering/pdfium/pdfium.ts'

let pdfium: Promise<Pdfium> | undefined

/** Opens a document from memory in an instance of PDFium shared by the tests of a file. Closes it after the test. */
export async function openMadePdf(t: { after: (end: () => void) => void }, bytes: Buffer): Promise<PdfDocument> {
  pdfium ??= loadPdfium({ maxMemoryBytes: 256 * 1024 * 1024 })
  const document = openPdf(await pdfium, bytesSource(bytes))
  t.after(() => document.close())
  return document
}
