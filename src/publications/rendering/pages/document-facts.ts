import type { DocumentFacts, Finding, Metadata, OutlineEntry, PageFacts } from '../../model/document-content.ts'
import { FALLBACK_SIZE, isUsable } from '../../model/image-forms.ts'
import type { FileSource, PdfDocument } from '../pdfium/pdf-document.ts'
import { PdfError } from '../pdfium/pdf-error.ts'
import { type Pointer, readUtf8, readUtf16, withCells, withUtf8 } from '../pdfium/pdfium.ts'
import { readAttachments, readForm } from './comments.ts'
import { readTarget } from './page-content.ts'

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
  const attachments = readAttachments(document)
  const form = readForm(document)
  return {
    pageCount,
    pages: readPages(document),
    outline: readOutline(document),
    metadata: readMetadata(document),
    ...(language !== '' && { language }),
    ...(isRightToLeft(document) && { isRightToLeft: true }),
    isTagged: pdfium.FPDFCatalog_IsTagged(handle) !== 0,
    ...(form !== undefined && { form }),
    ...(attachments.length > 0 && { attachments }),
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

/** Tells whether pages turn from right to left (ISO 32000-1, table 150). */
function isRightToLeft({ pdfium, handle }: PdfDocument): boolean {
  return withUtf8(pdfium, 'Direction', (key) => {
    const ask = (buffer: Pointer, size: number) => pdfium.FPDF_VIEWERREF_GetName(handle, key, buffer, size)
    return readUtf8(pdfium, ask) === 'R2L'
  })
}

/** Cleans text of a file, which may contain control characters and lone surrogates, for pages and answers. */
function oneLine(text: string, maxLength: number): string {
  return text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, maxLength)
    .toWellFormed()
}

/** Limits, because the outline of a file may be cyclic or huge. */
const MAX_ENTRIES = 5_000
const MAX_DEPTH = 32
const MAX_TITLE_LENGTH = 500

/** Reads the table of contents in order. Entries without a title are left out, but not their children. */
function readOutline(document: PdfDocument): OutlineEntry[] {
  const { pdfium, handle } = document
  const entries: OutlineEntry[] = []
  const seen = new Set<Pointer>()

  function readChildren(parent: Pointer, depth: number) {
    let entry = pdfium.FPDFBookmark_GetFirstChild(handle, parent)
    while (entry !== 0 && depth < MAX_DEPTH && seen.size < MAX_ENTRIES && !seen.has(entry)) {
      seen.add(entry)
      const title = readTitle(entry)
      if (title !== '') entries.push({ title, depth, ...readTargetOf(entry) })
      readChildren(entry, depth + 1)
      entry = pdfium.FPDFBookmark_GetNextSibling(handle, entry)
    }
  }

  function readTitle(entry: Pointer): string {
    const title = readUtf16(pdfium, (buffer, size) => pdfium.FPDFBookmark_GetTitle(entry, buffer, size))
    return title.replace(/\s+/g, ' ').trim().slice(0, MAX_TITLE_LENGTH).toWellFormed()
  }

  function readTargetOf(entry: Pointer) {
    return readTarget(document, pdfium.FPDFBookmark_GetDest(handle, entry), pdfium.FPDFBookmark_GetAction(entry))
  }

  readChildren(0, 0)
  return entries
}

/**
 * PDF names that indicate a finding anywhere in the file. All are long: shorter ones occur in compressed data by
 * chance.
 */
const names: [Finding, string][] = [
  ['javascript', '/JavaScript'],
  ['launch_action', '/Launch'],
  ['open_action', '/OpenAction'],
  ['attachments', '/EmbeddedFile'],
  ['encrypted', '/Encrypt'],
  ['xfa_form', '/XFA'],
]

/** Pieces overlap, because a name may span two of them; the longest has 13 bytes. */
const PIECE_BYTES = 1024 * 1024
const OVERLAP_BYTES = 32

/**
 * Finds active content of a file: through PDFium, and in the bytes of the file if PDFium does not report it. Names
 * inside compressed objects are not found, so an empty list does not prove that a file is harmless.
 */
function readFindings({ pdfium, handle }: PdfDocument, source: FileSource): Finding[] {
  const found = new Set<Finding>()
  if (pdfium.FPDFDoc_GetJavaScriptActionCount(handle) > 0) found.add('javascript')
  if (pdfium.FPDFDoc_GetAttachmentCount(handle) > 0) found.add('attachments')
  for (const piece of piecesOf(source)) {
    for (const [finding, name] of names) if (!found.has(finding) && holdsName(piece, name)) found.add(finding)
  }
  return [...found].sort()
}

function* piecesOf(source: FileSource): Generator<Buffer> {
  const piece = Buffer.allocUnsafe(PIECE_BYTES)
  for (let position = 0; position < source.size; position += PIECE_BYTES - OVERLAP_BYTES) {
    const bytes = piece.subarray(0, Math.min(PIECE_BYTES, source.size - position))
    if (!source.read(position, bytes)) return
    yield bytes
  }
}

/** Returns true for the whole name, not for the start of a longer one; `/EmbeddedFiles` counts as `/EmbeddedFile`. */
function holdsName(piece: Buffer, name: string): boolean {
  for (let at = piece.indexOf(name, 0, 'latin1'); at >= 0; at = piece.indexOf(name, at + 1, 'latin1')) {
    const next = piece[at + name.length]
    const goesOn = next !== undefined && /[A-Za-z0-9]/.test(String.fromCharCode(next))
    if (!goesOn || String.fromCharCode(next) === 's') return true
  }
  return false
}
