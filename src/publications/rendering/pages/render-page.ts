import type { PageLink } from '../../domain/page-content.ts'
import { pageCharacters } from '../../domain/text-limits.ts'
import { type PdfDocument, withPage } from '../pdfium/pdf-document.ts'
import { drawPage, type PageImage } from './draw-page.ts'
import { boxesOf } from './page-geometry.ts'
import { readLinks } from './page-links.ts'
import { type PageWords, readWords } from './page-words.ts'

/** A rendered page: its image, its words with their positions, and its links. */
export type RenderedPage = PageWords & { image: PageImage; links: PageLink[] }

/** Renders a page (the first is 1) at a width in pixels. Throws the `PdfError` `page_damaged` when it cannot be read. */
export function renderPage(document: PdfDocument, pageNumber: number, width: number): RenderedPage {
  const { pdfium } = document
  return withPage(document, pageNumber, (page) => {
    const image = drawPage(document, page, width)
    const toBox = boxesOf(document, page)
    const textPage = pdfium.FPDFText_LoadPage(page)
    // If there is no memory for the text, the page still has its image.
    if (textPage === 0) return { image, words: [], links: [], isTruncated: true }
    try {
      const words = readWords(pdfium, textPage, toBox, pageCharacters(document.pageCount))
      return { image, ...words, links: readLinks(document, page, textPage, toBox) }
    } finally {
      pdfium.FPDFText_ClosePage(textPage)
    }
  })
}
