import type { DocumentFacts, Metadata, PageFacts } from '../../domain/document-facts.ts'
import { FALLBACK_SIZE, isUsable } from '../../domain/image-size.ts'
import type { FileSource } from '../pdfium/file-source.ts'
import type { PdfDocument } from '../pdfium/pdf-document.ts'
import { PdfError } from '../pdfium/pdf-error.ts'
import { readUtf16, withCells, withUtf8 } from '../pdfium/pdfium.ts'
import { readFindings } from './read-findings.ts'
import { readOutline } from './read-outline.ts'

const MAX_METADATA_LENGTH = 1_000
const MAX_LANGUAGE_LENGTH = 100
const MAX_LABEL_LENGTH = 50

/**
 * Reads a document's facts. Throws the `PdfError` `too_many_pages` above `maxPages`, which also rejects false page
 * counts.
 */
export function readFacts(document: PdfDocument, source: FileSource, maxPages: number): DocumentFacts {
  const { pdfium, handle, pageCount } = document
  if (pageCount > maxPages) throw new PdfError('too_many_pages')
  const stated = readUtf16(pdfium, (buffer, size) => pdfium.EPDFCatalog_GetLanguage(handle, buffer, size))
  const language = oneLine(stated, MAX_LANGUAGE_LENGTH)
  return {
    pageCount,
    pages: readPages(document),
    outline: readOutline(document),
    metadata: readMetadata(document),
    ...(language !== '' && { language }),
    isTagged: pdfium.FPDFCatalog_IsTagged(handle) !== 0,
    findings: readFindings(document, source),
  }
}

function readPages({ pdfium, handle, pageCount }: PdfDocument): PageFacts[] {
  return Array.from({ length: pageCount }, (_, index) => {
    const size = withCells(pdfium, 2, (pointer, cells) => {
      if (pdfium.FPDF_GetPageSizeByIndexF(handle, index, pointer) === 0) return FALLBACK_SIZE
      return { widthPt: cells().getFloat32(0, true), heightPt: cells().getFloat32(4, true) }
    })
    const called = readUtf16(pdfium, (buffer, bytes) => pdfium.FPDF_GetPageLabel(handle, index, buffer, bytes))
    const label = oneLine(called, MAX_LABEL_LENGTH)
    const isOwn = label !== '' && label !== String(index + 1)
    return { ...(isUsable(size) ? size : FALLBACK_SIZE), ...(isOwn && { label }) }
  })
}

function readMetadata({ pdfium, handle }: PdfDocument): Metadata {
  const read = (tag: string) => {
    const ask = (name: number) =>
      readUtf16(pdfium, (buffer, size) => pdfium.FPDF_GetMetaText(handle, name, buffer, size))
    return oneLine(withUtf8(pdfium, tag, ask), MAX_METADATA_LENGTH) || undefined
  }
  const [title, author, subject, keywords] = ['Title', 'Author', 'Subject', 'Keywords'].map(read)
  return { title, author, subject, keywords, createdAt: read('CreationDate') }
}

/** Cleans text of a file, which may contain control characters and lone surrogates, for pages and answers. */
function oneLine(text: string, maxLength: number): string {
  return text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, maxLength)
    .toWellFormed()
}
