import type { Box, PageLink } from '../../domain/page-content.ts'
import type { PdfDocument } from '../pdfium/pdf-document.ts'
import { readUtf16, withCells } from '../pdfium/pdfium.ts'
import type { Pointer } from '../pdfium/pdfium-exports.ts'
import { readTarget, safeUri } from './link-target.ts'
import type { ToBox } from './page-geometry.ts'
import { readRect } from './page-words.ts'

/** More than the densest index page has; each link is an element of the public page. */
const MAX_LINKS = 2_000

/** Reads the links of a page: those that its author placed, then the addresses in its text. */
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
      const handleOfLink = cells().getUint32(4, true)
      const destination = pdfium.FPDFLink_GetDest(handle, handleOfLink)
      const target = readTarget(document, destination, pdfium.FPDFLink_GetAction(handleOfLink))
      if (target === undefined || pdfium.FPDFLink_GetAnnotRect(handleOfLink, rect) === 0) continue
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
