import type { Box } from '../../domain/page-content.ts'
import type { PdfDocument } from '../pdfium/pdf-document.ts'
import { withCells } from '../pdfium/pdfium.ts'
import type { Pointer } from '../pdfium/pdfium-exports.ts'

/** Converts a rectangle in the page's own coordinates to one on the page as shown, clipped to the page. */
export type ToBox = (left: number, top: number, right: number, bottom: number) => Box

/** The page's extent in the integer units of PDFium's answers. */
const EXTENT = 1 << 20

/** Five decimals: a hundredth of a pixel at the widths in use, and short in JSON. */
const PRECISION = 100_000

/**
 * Returns the mapping of the page's coordinates to the page as shown, with its rotation, crop box and origin. PDFium
 * maps three points, which define the affine mapping; asking it for each corner would be slow.
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

function boxBetween(x1: number, y1: number, x2: number, y2: number): Box {
  const x = onPage(Math.min(x1, x2))
  const y = onPage(Math.min(y1, y2))
  return { x, y, width: round(onPage(Math.max(x1, x2)) - x), height: round(onPage(Math.max(y1, y2)) - y) }
}

/** Clamps to 0 and 1; values of broken files that are not numbers become 0. */
function onPage(part: number): number {
  return Number.isFinite(part) ? round(Math.min(Math.max(part, 0), 1)) : 0
}

function round(part: number): number {
  return Math.round(part * PRECISION) / PRECISION
}
