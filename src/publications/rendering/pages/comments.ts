import type { AttachedFile, DocumentFacts, PageComment } from '../../model/document-content.ts'
import { type PdfDocument, withPage } from '../pdfium/pdf-document.ts'
import { type Pdfium, type Pointer, readUtf16, withCells, withMemory, withUtf8 } from '../pdfium/pdfium.ts'
import { readRect, type ToBox } from './page-content.ts'

/** Attached files of a document, and annotations of a page that are read. */
const MAX_FILES = 100
const MAX_ANNOTATIONS = 999
/** Comments of a page, characters of each, and of all of them. */
const MAX_COMMENTS = 100
const MAX_TEXT_LENGTH = 2_000
const MAX_PAGE_CHARACTERS = 20_000
const MAX_NAME_LENGTH = 200
/** Largest attached file that is taken out of its PDF. It is in memory as a whole. */
const MAX_FILE_BYTES = 33_554_432

/** `FPDF_ANNOT_FILEATTACHMENT` of fpdf_annot.h. */
const FILE_ATTACHMENT = 17
/**
 * Kinds of annotations that may carry a comment (`FPDF_ANNOT_…`): a note, shapes, marked text, a stamp, a caret, ink
 * and a file. Free text is drawn on the page; links, pop-ups and fields have other purposes.
 */
const COMMENTED = new Set([1, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, FILE_ATTACHMENT])
/** Flags `Hidden` and `NoView` (ISO 32000-1, table 165). */
const UNSEEN = 2 | 32

/** Lists the files that are attached to a document as a whole. */
export function readAttachments({ pdfium, handle }: PdfDocument): AttachedFile[] {
  const count = Math.min(pdfium.FPDFDoc_GetAttachmentCount(handle), MAX_FILES)
  return Array.from({ length: Math.max(0, count) }, (_, index) => index).flatMap((index) => {
    const attachment = pdfium.FPDFDoc_GetAttachment(handle, index)
    return attachment === 0 ? [] : [{ id: String(index + 1), name: nameOf(pdfium, attachment) }]
  })
}

/** `FORMTYPE_…` of fpdf_formfill.h: no form, and one that is drawn by Acrobat alone. */
const NO_FORM = 0
const XFA_FULL = 2
/** `FPDF_FORMFIELD_…`: check box, radio button, two kinds of lists, text. Buttons and signatures are not filled in. */
const FIRST_FILLED = 2
const LAST_FILLED = 6
/** A form has its fields at its beginning, and hundreds of pages take time. */
const MAX_FORM_PAGES = 10

/** Tells whether a document is a form that readers can fill in; undefined if not. */
export function readForm(document: PdfDocument): DocumentFacts['form'] {
  const { pdfium, handle, form, pageCount } = document
  const type = pdfium.FPDF_GetFormType(handle)
  if (type === NO_FORM) return undefined
  if (type === XFA_FULL) return 'acrobat'
  for (let index = 0; index < Math.min(pageCount, MAX_FORM_PAGES); index++) {
    const page = pdfium.FPDF_LoadPage(handle, index)
    if (page === 0) continue
    try {
      if (hasField(pdfium, form, page)) return 'fillable'
    } finally {
      pdfium.FPDF_ClosePage(page)
    }
  }
  return undefined
}

function hasField(pdfium: Pdfium, form: Pointer, page: Pointer): boolean {
  const count = Math.min(pdfium.FPDFPage_GetAnnotCount(page), MAX_ANNOTATIONS)
  for (let index = 0; index < count; index++) {
    const kind = withAnnotation(pdfium, page, index, (each) => pdfium.FPDFAnnot_GetFormFieldType(form, each)) ?? 0
    if (kind >= FIRST_FILLED && kind <= LAST_FILLED) return true
  }
  return false
}

/**
 * Reads the comments of a page. Their authors are left out: as the author of a file, they are often names of accounts
 * that nobody meant to publish.
 */
export function readComments({ pdfium }: PdfDocument, page: Pointer, number: number, toBox: ToBox): PageComment[] {
  const comments: PageComment[] = []
  const count = Math.min(pdfium.FPDFPage_GetAnnotCount(page), MAX_ANNOTATIONS)
  let left = MAX_PAGE_CHARACTERS
  for (let index = 0; index < count && comments.length < MAX_COMMENTS && left > 0; index++) {
    const comment = withAnnotation(pdfium, page, index, (annotation) =>
      commentOf(pdfium, annotation, `${number}-${index + 1}`, toBox),
    )
    if (comment === undefined) continue
    left -= comment.text.length + (comment.file?.name.length ?? 0)
    comments.push(comment)
  }
  return comments
}

function commentOf(pdfium: Pdfium, annotation: Pointer, id: string, toBox: ToBox): PageComment | undefined {
  const kind = pdfium.FPDFAnnot_GetSubtype(annotation)
  if (!COMMENTED.has(kind) || (pdfium.FPDFAnnot_GetFlags(annotation) & UNSEEN) !== 0) return undefined
  // A reply that only sets a state, such as "Accepted", says nothing to readers.
  if (stringOf(pdfium, annotation, 'State') !== '') return undefined
  const text = cleaned(stringOf(pdfium, annotation, 'Contents'), MAX_TEXT_LENGTH)
  const attachment = kind === FILE_ATTACHMENT ? pdfium.FPDFAnnot_GetFileAttachment(annotation) : 0
  if (text === '' && attachment === 0) return undefined
  const box = withCells(pdfium, 4, (rect, cells) => {
    if (pdfium.FPDFAnnot_GetRect(annotation, rect) === 0) return { x: 0, y: 0, width: 0, height: 0 }
    return readRect(cells(), toBox)
  })
  return { ...box, text, ...(attachment !== 0 && { file: { id, name: nameOf(pdfium, attachment) } }) }
}

/** Takes an attached file out of a document, by its `id`; undefined if there is none, or it is too large. */
export function readAttachedFile(document: PdfDocument, id: string): Uint8Array<ArrayBuffer> | undefined {
  const { pdfium, handle } = document
  const [first, second] = id.split('-').map(Number)
  if (second === undefined) {
    const attachment = first <= MAX_FILES ? pdfium.FPDFDoc_GetAttachment(handle, first - 1) : 0
    return attachment === 0 ? undefined : bytesOf(pdfium, attachment)
  }
  if (first > document.pageCount || second > MAX_ANNOTATIONS) return undefined
  return withPage(document, first, (page) =>
    withAnnotation(pdfium, page, second - 1, (annotation) => {
      if (pdfium.FPDFAnnot_GetSubtype(annotation) !== FILE_ATTACHMENT) return undefined
      const attachment = pdfium.FPDFAnnot_GetFileAttachment(annotation)
      return attachment === 0 ? undefined : bytesOf(pdfium, attachment)
    }),
  )
}

function bytesOf(pdfium: Pdfium, attachment: Pointer): Uint8Array<ArrayBuffer> | undefined {
  return withCells(pdfium, 1, (size, cells) => {
    if (pdfium.FPDFAttachment_GetFile(attachment, 0, 0, size) === 0) return undefined
    const length = cells().getUint32(0, true)
    if (length === 0) return new Uint8Array()
    if (length > MAX_FILE_BYTES) return undefined
    return withMemory(pdfium, length, (buffer) => {
      if (pdfium.FPDFAttachment_GetFile(attachment, buffer, length, size) === 0) return undefined
      return new Uint8Array(pdfium.memory.buffer, buffer >>> 0, length).slice() as Uint8Array<ArrayBuffer>
    })
  })
}

function withAnnotation<T>(
  pdfium: Pdfium,
  page: Pointer,
  index: number,
  use: (annotation: Pointer) => T,
): T | undefined {
  const annotation = pdfium.FPDFPage_GetAnnot(page, index)
  if (annotation === 0) return undefined
  try {
    return use(annotation)
  } finally {
    pdfium.FPDFPage_CloseAnnot(annotation)
  }
}

function stringOf(pdfium: Pdfium, annotation: Pointer, key: string): string {
  return withUtf8(pdfium, key, (name) =>
    readUtf16(pdfium, (buffer, size) => pdfium.FPDFAnnot_GetStringValue(annotation, name, buffer, size)),
  )
}

function nameOf(pdfium: Pdfium, attachment: Pointer): string {
  const name = readUtf16(pdfium, (buffer, size) => pdfium.FPDFAttachment_GetName(attachment, buffer, size))
  return cleaned(name, MAX_NAME_LENGTH).replace(/\n/g, ' ') || 'file'
}

/** Keeps line breaks, and no other control characters. */
function cleaned(text: string, maxLength: number): string {
  return text
    .slice(0, maxLength)
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n]+/gu, ' ')
    .trim()
    .toWellFormed()
}
