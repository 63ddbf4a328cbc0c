import { type ImageSize, imageSize } from '../../domain/image-size.ts'
import type { PdfDocument } from '../pdfium/pdf-document.ts'
import { PdfError } from '../pdfium/pdf-error.ts'
import type { Pointer } from '../pdfium/pdfium-exports.ts'
import { sharpEdgesPerRow } from './sharp-edges.ts'

/**
 * Pixels of a page on white: red, green and blue, one byte each, rows without padding; and the average number of sharp
 * edges in a row, which tells text from pictures. `greys` has, for each grey, the one of sixteen that replaces it, if
 * the image has no others.
 */
export type PageImage = ImageSize & { data: Uint8Array; edgesPerRow: number; greys?: Uint8Array }

/** `FPDFBitmap_BGR` of fpdfview.h: three bytes a pixel, as a page on white paper has no transparency. */
const FORMAT_BGR = 2
const BYTES_PER_PIXEL = 3
const WHITE = 0xffffffff

/**
 * `FPDF_ANNOT`: annotations are drawn. `FPDF_REVERSE_BYTE_ORDER`: red first. Without `FPDF_LCD_TEXT` letters have grey
 * edges; with it they have coloured ones, made for one kind of screen and bad for every other and for compression.
 */
const FLAGS = 0x01 | 0x10

/** Pixels drawn at a time, so that PDFium's memory holds only a band of a large page. */
const MAX_BAND_PIXELS = 8_000_000

/**
 * Draws a loaded page with its annotations and form fields at the given width, within the limits of `imageSize`; into
 * `memory` if the image fits.
 */
export function drawPage(
  document: PdfDocument,
  page: Pointer,
  wantedWidth: number,
  memory: ArrayBufferLike = new ArrayBuffer(0),
): PageImage {
  const { pdfium } = document
  const widthPt = pdfium.FPDF_GetPageWidthF(page)
  const heightPt = pdfium.FPDF_GetPageHeightF(page)
  const size = imageSize({ widthPt, heightPt }, wantedWidth)
  const rowBytes = size.width * BYTES_PER_PIXEL
  const bytes = rowBytes * size.height
  const data = bytes <= memory.byteLength ? new Uint8Array(memory, 0, bytes) : new Uint8Array(bytes)
  const bandHeight = Math.min(size.height, Math.max(1, Math.floor(MAX_BAND_PIXELS / size.width)))
  const bitmap = pdfium.FPDFBitmap_CreateEx(size.width, bandHeight, FORMAT_BGR, 0, 0)
  if (bitmap === 0) throw new PdfError('out_of_memory')
  try {
    for (let top = 0; top < size.height; top += bandHeight) {
      drawBand(document, page, bitmap, size, top)
      copyRows(document, bitmap, data.subarray(top * rowBytes, (top + bandHeight) * rowBytes), rowBytes)
    }
  } finally {
    pdfium.FPDFBitmap_Destroy(bitmap)
  }
  return { ...size, data, edgesPerRow: sharpEdgesPerRow(size, data) }
}

/** Draws the page shifted up by `top`, clipped to the bitmap. */
function drawBand({ pdfium, form }: PdfDocument, page: Pointer, bitmap: Pointer, size: ImageSize, top: number) {
  const { width, height } = size
  pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height - top, WHITE)
  pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, -top, width, height, 0, FLAGS)
  pdfium.FPDF_FFLDraw(form, bitmap, page, 0, -top, width, height, 0, FLAGS)
}

/** PDFium pads its rows to four bytes. */
function copyRows({ pdfium }: PdfDocument, bitmap: Pointer, target: Uint8Array, rowBytes: number) {
  const stride = pdfium.FPDFBitmap_GetStride(bitmap)
  const buffer = pdfium.FPDFBitmap_GetBuffer(bitmap) >>> 0
  const rows = target.length / rowBytes
  const pixels = new Uint8Array(pdfium.memory.buffer, buffer, stride * rows)
  if (stride === rowBytes) return target.set(pixels)
  for (let row = 0; row < rows; row++) {
    target.set(pixels.subarray(row * stride, row * stride + rowBytes), row * rowBytes)
  }
}
