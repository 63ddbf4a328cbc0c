import type { PageLink, Word } from '../../domain/page-content.ts'
import type { PageStructure } from '../../domain/page-structure.ts'
import { pageCharacters } from '../../domain/text-limits.ts'
import { type PdfDocument, withPage } from '../pdfium/pdf-document.ts'
import { drawPage, type PageImage } from './draw-page.ts'
import { boxesOf } from './page-geometry.ts'
import { readLinks } from './page-links.ts'
import { readWords } from './page-words.ts'
import { readStructure } from './read-structure.ts'

/**
 * A rendered page: its image, its words with their positions, their structure if the file describes it, and its links.
 */
export type RenderedPage = {
  image: PageImage
  words: Word[]
  isTruncated: boolean
  structure?: PageStructure
  links: PageLink[]
}

/**
 * Renders a page (the first is 1) at a width in pixels, its image into `memory` if it fits. Throws the
 * `PdfError` `page_damaged` when it cannot be read.
 */
export function renderPage(
  document: PdfDocument,
  pageNumber: number,
  width: number,
  memory?: ArrayBufferLike,
): RenderedPage {
  const { pdfium } = document
  return withPage(document, pageNumber, (page) => {
    const image = drawPage(document, page, width, memory)
    const toBox = boxesOf(document, page)
    const textPage = pdfium.FPDFText_LoadPage(page)
    // If there is no memory for the text, the page still has its image.
    if (textPage === 0) return { image, words: [], links: [], isTruncated: true }
    try {
      const { starts, ...words } = readWords(pdfium, textPage, toBox, pageCharacters(document.pageCount))
      const structure = readStructure(document, page, textPage, starts)
      return { image, ...words, structure, links: readLinks(document, page, textPage, toBox) }
    } finally {
      pdfium.FPDFText_ClosePage(textPage)
    }
  })
}
