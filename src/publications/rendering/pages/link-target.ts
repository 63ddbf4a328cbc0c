import type { Target } from '../../domain/page-content.ts'
import type { PdfDocument } from '../pdfium/pdf-document.ts'
import { readUtf8 } from '../pdfium/pdfium.ts'
import type { Pointer } from '../pdfium/pdfium-exports.ts'

/** Kinds of actions, `PDFACTION_…` of fpdf_doc.h. */
const ACTION_GO_TO = 1
const ACTION_GO_TO_REMOTE = 2
const ACTION_URI = 3
const ACTION_GO_TO_EMBEDDED = 5

const MAX_URI_LENGTH = 2_048

/** Protocols that are safe to follow from our pages; `javascript:`, `file:` and `data:` are not. */
const PROTOCOLS = new Set(['http:', 'https:', 'mailto:'])

/**
 * Reads the target of a destination, or of the action in its place; undefined if there is none that may be followed.
 */
export function readTarget(document: PdfDocument, destination: Pointer, action: Pointer): Target | undefined {
  const { pdfium, handle } = document
  const type = action === 0 ? undefined : pdfium.FPDFAction_GetType(action)
  // PDFium also returns destinations for pages of another file.
  if (type === ACTION_GO_TO_REMOTE || type === ACTION_GO_TO_EMBEDDED) return undefined
  if (destination !== 0) return pageTarget(document, destination)
  if (type === ACTION_GO_TO) return pageTarget(document, pdfium.FPDFAction_GetDest(handle, action))
  if (type !== ACTION_URI) return undefined
  const uri = safeUri(readUtf8(pdfium, (buffer, size) => pdfium.FPDFAction_GetURIPath(handle, action, buffer, size)))
  return uri === undefined ? undefined : { uri }
}

/** Normalises an address; undefined if it is not absolute or its protocol may not be followed. */
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
