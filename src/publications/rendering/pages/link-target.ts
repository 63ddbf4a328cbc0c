import type { Target } from '../../domain/page-content.ts'
import type { PdfDocument } from '../pdfium/pdf-document.ts'
import { readUtf8 } from '../pdfium/pdfium.ts'
import type { Pointer } from '../pdfium/pdfium-exports.ts'

/** Kinds of actions, `PDFACTION_…` of fpdf_doc.h. */
export const ACTION_GO_TO = 1
const ACTION_GO_TO_REMOTE = 2
export const ACTION_URI = 3
export const ACTION_LAUNCH = 4
const ACTION_GO_TO_EMBEDDED = 5

const MAX_URI_LENGTH = 2_048

/** Protocols that are safe to follow from a page of ours; `javascript:`, `file:` and `data:` are not among them. */
const PROTOCOLS = new Set(['http:', 'https:', 'mailto:'])

/** Reads where a destination, or the action in its stead, leads; undefined when it leads nowhere we let anyone go. */
export function readTarget(document: PdfDocument, destination: Pointer, action: Pointer): Target | undefined {
  const { pdfium, handle } = document
  const type = action === 0 ? undefined : pdfium.FPDFAction_GetType(action)
  // PDFium gives what leads to a page of another file as a destination, too.
  if (type === ACTION_GO_TO_REMOTE || type === ACTION_GO_TO_EMBEDDED) return undefined
  if (destination !== 0) return pageTarget(document, destination)
  if (type === ACTION_GO_TO) return pageTarget(document, pdfium.FPDFAction_GetDest(handle, action))
  if (type !== ACTION_URI) return undefined
  const uri = safeUri(readUtf8(pdfium, (buffer, size) => pdfium.FPDFAction_GetURIPath(handle, action, buffer, size)))
  return uri === undefined ? undefined : { uri }
}

/** An address in its normal form, if it is whole and of a protocol that may be followed. */
export function safeUri(text: string): string | undefined {
  if (text.length > MAX_URI_LENGTH) return undefined
  const url = URL.parse(text.trim())
  return url !== null && PROTOCOLS.has(url.protocol) ? url.href : undefined
}

function pageTarget({ pdfium, handle, pageCount }: PdfDocument, destination: Pointer): Target | undefined {
  if (destination === 0) return undefined
  const index = pdfium.FPDFDest_GetDestPageIndex(handle, destination)
  return index >= 0 && index < pageCount ? { page: index + 1 } : undefined
}
