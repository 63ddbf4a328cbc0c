import type { Box } from '../../domain/page-content.ts'
import type { PdfDocument } from '../pdfium/pdf-document.ts'
import { withCells } from '../pdfium/pdfium.ts'
import type { Pointer } from '../pdfium/pdfium-exports.ts'

/** Turns a rectangle in the page's own coordinates into one on the page as shown, cut to the page. */
export type ToBox = (left: number, top: number, right: number, bottom: number) => Box

/** The page's extent in the units PDFium answers in, which are whole numbers. */
const EXTENT = 1 << 20

/** Five decimals: a hundredth of a pixel at the widths in use, and short in JSON. */
const PRECISION = 100_000

/**
 * How the page's coordinates lie on the page as shown: its rotation, its crop box and its origin taken into account.
 * PDFium is asked for three points; the mapping is affine, and asking it for each corner would be slow.
 */
export function boxesOf({ pdfium }: PdfDocument, page: Pointer): ToBox {
  const widthPt = pdfium.FPDF_GetPageWidthF(page) || 1
  const heightPt = pdfium.FPDF_GetPageHeightF(page) || 1
  const [origin, alongX, alongY] = withCells(pdfium, 2, (pointer, cells) =>
    [
      [0, 0],
      [widthPt, 0],
      [0, heightPt],
    ].map(([x, y]) => {
      pdfium.FPDF_PageToDevice(page, 0, 0, EXTENT, EXTENT, 0, x, y, pointer, pointer + 4)
      return { x: cells().getInt32(0, true) / EXTENT, y: cells().getInt32(4, true) / EXTENT }
    }),
  )
  const toX = (x: number, y: number) =>
    origin.x + ((alongX.x - origin.x) * x) / widthPt + ((alongY.x - origin.x) * y) / heightPt
  const toY = (x: number, y: number) =>
    origin.y + ((alongX.y - origin.y) * x) / widthPt + ((alongY.y - origin.y) * y) / heightPt
  return (left, top, right, bottom) =>
    boxBetween(toX(left, top), toY(left, top), toX(right, bottom), toY(right, bottom))
}

/** The smallest box around all of `boxes`, of which there is at least one. */
export function boxAround(boxes: Box[]): Box {
  return boxBetween(
    Math.min(...boxes.map(({ x }) => x)),
    Math.min(...boxes.map(({ y }) => y)),
    Math.max(...boxes.map(({ x, width }) => x + width)),
    Math.max(...boxes.map(({ y, height }) => y + height)),
  )
}

function boxBetween(x1: number, y1: number, x2: number, y2: number): Box {
  const x = onPage(Math.min(x1, x2))
  const y = onPage(Math.min(y1, y2))
  return { x, y, width: round(onPage(Math.max(x1, x2)) - x), height: round(onPage(Math.max(y1, y2)) - y) }
}

/** Within 0 and 1; what is no number at all, as broken files have it, is 0. */
function onPage(part: number): number {
  return Number.isFinite(part) ? round(Math.min(Math.max(part, 0), 1)) : 0
}

function round(part: number): number {
  return Math.round(part * PRECISION) / PRECISION
}
