import type { FileSource } from './file-source.ts'
import { PdfError, type PdfErrorCode } from './pdf-error.ts'
import { type Pdfium, viewMemory, withUtf8 } from './pdfium.ts'
import type { Pointer } from './pdfium-exports.ts'

/** An open document: PDFium's handles for it and for the layer that draws its form fields. */
export type PdfDocument = {
  readonly pdfium: Pdfium
  readonly handle: Pointer
  readonly form: Pointer
  readonly pageCount: number
  close(): void
}

/** PDFium's codes for a document that does not open (`FPDF_ERR_…` of fpdfview.h). */
const openErrors: Record<number, PdfErrorCode> = { 4: 'password_required', 5: 'encryption_unsupported' }

/**
 * Opens a document. It reads from `source` piece by piece as it needs to, and closes it with itself.
 *
 * Throws a `PdfError`: `not_a_pdf`, `password_required`, `encryption_unsupported` or `no_pages`.
 */
export function openPdf(pdfium: Pdfium, source: FileSource, password = ''): PdfDocument {
  const { access, closeSource } = giveAccess(pdfium, source)
  const handle = withUtf8(pdfium, password, (text) => pdfium.FPDF_LoadCustomDocument(access, text))
  if (handle === 0) {
    closeSource()
    throw new PdfError(openErrors[pdfium.FPDF_GetLastError()] ?? 'not_a_pdf')
  }
  const formInfo = pdfium.PDFiumExt_OpenFormFillInfo()
  const form = pdfium.PDFiumExt_InitFormFillEnvironment(handle, formInfo)
  // The fields' contents belong to the page; the tint that invites to fill them in does not.
  pdfium.FPDF_SetFormFieldHighlightAlpha(form, 0)
  const close = () => {
    pdfium.PDFiumExt_ExitFormFillEnvironment(form)
    pdfium.PDFiumExt_CloseFormFillInfo(formInfo)
    pdfium.FPDF_CloseDocument(handle)
    closeSource()
  }
  const pageCount = pdfium.FPDF_GetPageCount(handle)
  if (pageCount > 0) return { pdfium, handle, form, pageCount, close }
  close()
  throw new PdfError('no_pages')
}

/** Runs `use` with a page (the first is 1), loaded and closed again. Throws `page_damaged` when there is none. */
export function withPage<T>(document: PdfDocument, pageNumber: number, use: (page: Pointer) => T): T {
  const { pdfium, handle, form } = document
  const page = pdfium.FPDF_LoadPage(handle, pageNumber - 1)
  if (page === 0) throw new PdfError('page_damaged')
  try {
    pdfium.FORM_OnAfterLoadPage(page, form)
    return use(page)
  } finally {
    pdfium.FORM_OnBeforeClosePage(page, form)
    pdfium.FPDF_ClosePage(page)
  }
}

/** One callback for each instance serves all documents: those added can never be taken away again. */
const readers = new WeakMap<Pdfium, { read: Pointer; sources: Map<number, FileSource> }>()

function readerOf(pdfium: Pdfium) {
  const known = readers.get(pdfium)
  if (known !== undefined) return known
  const sources = new Map<number, FileSource>()
  const read = (id: number, position: number, target: Pointer, size: number) => {
    const bytes = new Uint8Array(pdfium.memory.buffer, target >>> 0, size >>> 0)
    try {
      return sources.get(id)?.read(position >>> 0, bytes) ? 1 : 0
    } catch {
      // PDFium knows what to do about a part that cannot be read; an exception would tear it apart.
      return 0
    }
  }
  const reader = { read: pdfium.addCallback(read, 'iiiii'), sources }
  readers.set(pdfium, reader)
  return reader
}

/** Makes the `FPDF_FILEACCESS` through which PDFium reads: length, callback, and what the callback gets back first. */
function giveAccess(pdfium: Pdfium, source: FileSource) {
  const { read, sources } = readerOf(pdfium)
  const access = pdfium.malloc(12)
  if (access === 0) throw new PdfError('out_of_memory')
  sources.set(access, source)
  const fields = viewMemory(pdfium, access, 12)
  fields.setUint32(0, source.size, true)
  fields.setUint32(4, read, true)
  fields.setUint32(8, access, true)
  const closeSource = () => {
    sources.delete(access)
    pdfium.free(access)
    source.close()
  }
  return { access, closeSource }
}
