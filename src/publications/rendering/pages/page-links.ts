import type { Box, PageLink, Target } from '../../model/document-content.ts'
import type { PdfDocument } from '../pdfium/pdf-document.ts'
import { type Pointer, readUtf8, readUtf16, withCells } from '../pdfium/pdfium.ts'
import { readRect, type ToBox } from './page-words.ts'

/** More than the densest index page has; each link is an element of the public page. */
const MAX_LINKS = 2_000

/** Reads the links of a page: links of its author, then the addresses in its text. */
export function readLinks(document: PdfDocument, page: Pointer, textPage: Pointer, toBox: ToBox): PageLink[] {
  const placed = readPlacedLinks(document, page, toBox)
  const written = readWrittenLinks(document, textPage, toBox)
  const unknown = written.filter((link) => !placed.some((other) => overlaps(link, other)))
  return [...placed, ...unknown].filter(({ width, height }) => width > 0 && height > 0).slice(0, MAX_LINKS)
}

function readPlacedLinks(document: PdfDocument, page: Pointer, toBox: ToBox): PageLink[] {
  const { pdfium, handle } = document
  const links: PageLink[] = []
  withCells(pdfium, 6, (position, cells) => {
    const link = position + 4
    const rect = position + 8
    cells().setInt32(0, 0, true)
    while (links.length < MAX_LINKS && pdfium.FPDFLink_Enumerate(page, position, link) !== 0) {
      const linkHandle = cells().getUint32(4, true)
      const destination = pdfium.FPDFLink_GetDest(handle, linkHandle)
      const target = readTarget(document, destination, pdfium.FPDFLink_GetAction(linkHandle))
      if (target === undefined || pdfium.FPDFLink_GetAnnotRect(linkHandle, rect) === 0) continue
      links.push({ ...readRect(new DataView(cells().buffer, rect, 16), toBox), ...target })
    }
  })
  return links
}

function readWrittenLinks({ pdfium }: PdfDocument, textPage: Pointer, toBox: ToBox): PageLink[] {
  const found = pdfium.FPDFLink_LoadWebLinks(textPage)
  if (found === 0) return []
  try {
    const count = Math.min(pdfium.FPDFLink_CountWebLinks(found), MAX_LINKS)
    return Array.from({ length: count }, (_, index) => index).flatMap((index) => {
      // This one call counts in characters, not in bytes.
      const uri = safeUri(
        readUtf16(pdfium, (buffer, size) => pdfium.FPDFLink_GetURL(found, index, buffer, size / 2) * 2),
      )
      const rects = uri === undefined ? 0 : Math.min(pdfium.FPDFLink_CountRects(found, index), 10)
      return Array.from({ length: rects }, (_, rect) => ({
        ...withCells(pdfium, 8, (at, cells) => {
          pdfium.FPDFLink_GetRect(found, index, rect, at, at + 8, at + 16, at + 24)
          const [left, top, right, bottom] = [0, 8, 16, 24].map((offset) => cells().getFloat64(offset, true))
          return toBox(left, top, right, bottom)
        }),
        uri: uri!,
      }))
    })
  } finally {
    pdfium.FPDFLink_CloseWebLinks(found)
  }
}

function overlaps(one: Box, other: Box): boolean {
  const isBeside = one.x >= other.x + other.width || other.x >= one.x + one.width
  const isAbove = one.y >= other.y + other.height || other.y >= one.y + one.height
  return !isBeside && !isAbove
}

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
