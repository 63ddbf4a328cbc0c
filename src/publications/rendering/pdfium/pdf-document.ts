import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { LRUCache } from 'lru-cache'
import { PdfError, type PdfErrorCode } from './pdf-error.ts'
import { type Pdfium, type Pointer, viewMemory, withUtf8 } from './pdfium.ts'

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
export function openPdf(pdfium: Pdfium, source: FileSource): PdfDocument {
  const { access, closeSource } = giveAccess(pdfium, source)
  const handle = withUtf8(pdfium, '', (password) => pdfium.FPDF_LoadCustomDocument(access, password))
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

/** One callback for each instance serves all documents: an added one can never be taken away again. */
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

/** Makes the `FPDF_FILEACCESS` through which PDFium reads: length, callback, and the first argument of the callback. */
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

/** Bytes read by position, which is all that PDFium needs of a file. */
export type FileSource = {
  readonly size: number
  /** Fills `target` from `position` on. False when the source does not have so much. */
  read(position: number, target: Uint8Array): boolean
  close(): void
}

/**
 * PDFium reads its way through a file by 512 bytes at a time; a block answers 128 such calls with one of the system.
 */
const BLOCK_BYTES = 64 * 1024
const MAX_BLOCKS = 64

/**
 * Opens a file to be read by position, keeping at most 4 MB of it in memory. Reading is synchronous as PDFium asks from
 * inside a call; that blocks nobody in a thread of its own.
 */
export function openFileSource(path: string): FileSource {
  const file = openSync(path, 'r')
  const { size } = fstatSync(file)
  const blocks = new LRUCache<number, Uint8Array>({ max: MAX_BLOCKS })

  function block(index: number): Uint8Array {
    const known = blocks.get(index)
    if (known !== undefined) return known
    // The block used longest ago gives its memory to the new one.
    const bytes = (blocks.size < MAX_BLOCKS ? undefined : blocks.pop()) ?? new Uint8Array(BLOCK_BYTES)
    readSync(file, bytes, 0, BLOCK_BYTES, index * BLOCK_BYTES)
    blocks.set(index, bytes)
    return bytes
  }

  function read(position: number, target: Uint8Array): boolean {
    if (position + target.length > size) return false
    for (let done = 0; done < target.length; ) {
      const from = (position + done) % BLOCK_BYTES
      const part = block(Math.floor((position + done) / BLOCK_BYTES)).subarray(from, from + target.length - done)
      target.set(part, done)
      done += part.length
    }
    return true
  }

  return { size, read, close: () => closeSync(file) }
}

/** Reads from bytes already in memory, without a copy of them. */
export function bytesSource(bytes: Uint8Array): FileSource {
  const read = (position: number, target: Uint8Array) => {
    if (position + target.length > bytes.length) return false
    target.set(bytes.subarray(position, position + target.length))
    return true
  }
  return { size: bytes.length, read, close: () => {} }
}
