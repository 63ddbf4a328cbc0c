import {
  encodePageContent,
  type PageComment,
  type PageLink,
  type PageStructure,
  pageCharacters,
  type Word,
} from '../../model/document-content.ts'
import { type ImageSize, imageSize } from '../../model/image-forms.ts'
import { type PdfDocument, withPage } from '../pdfium/pdf-document.ts'
import { PdfError } from '../pdfium/pdf-error.ts'
import type { Pointer } from '../pdfium/pdfium.ts'
import { readComments } from './comments.ts'
import { boxesOf, readLinks, readWords } from './page-content.ts'
import { readStructure } from './page-structure.ts'
import { type RoledText, structuredText } from './structured-text.ts'

/**
 * A rendered page: its image, its words with their positions, their structure if the file describes it, its links and
 * comments.
 */
type RenderedPage = {
  image: PageImage
  words: Word[]
  isTruncated: boolean
  structure?: PageStructure
  links: PageLink[]
  comments: PageComment[]
}

/**
 * Renders a page (the first is 1) at a width in pixels, its image into `memory` if it fits. Throws the
 * `PdfError` `page_damaged` when it cannot be read.
 */
export function renderPage(
  document: PdfDocument,
  pageNumber: number,
  width: number,
  memory?: ArrayBufferLike,
): RenderedPage {
  const { pdfium } = document
  return withPage(document, pageNumber, (page) => {
    const image = drawPage(document, page, width, memory)
    const toBox = boxesOf(document, page)
    const textPage = pdfium.FPDFText_LoadPage(page)
    // If there is no memory for the text, the page still has its image.
    if (textPage === 0) return { image, words: [], links: [], comments: [], isTruncated: true }
    try {
      const { starts, ...words } = readWords(pdfium, textPage, toBox, pageCharacters(document.pageCount))
      const structure = readStructure(document, page, textPage, starts)
      const comments = readComments(document, page, pageNumber, toBox)
      return { image, ...words, structure, links: readLinks(document, page, textPage, toBox), comments }
    } finally {
      pdfium.FPDFText_ClosePage(textPage)
    }
  })
}

/**
 * Pixels of a page on white: red, green and blue, one byte each, rows without padding; and the average number of sharp
 * edges in a row, which tells text from pictures. `greys` has, for each grey, its replacement among sixteen, if the
 * image has no others.
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

/** Every row of text crosses letters in the same way, so that a part of the rows says enough. */
const EVERY_ROW = 8

/**
 * Difference of neighbouring pixels, of 255, from which on they are an edge: letters have it, photographs hardly ever.
 */
const MIN_STEP = 64

/**
 * Returns the average number of sharp edges in a row of an image with three bytes a pixel. It depends little on the
 * width of the image: a page of text has 35 to 130, a photograph or a page with few words less than 30.
 */
export function sharpEdgesPerRow({ width, height }: ImageSize, data: Uint8Array): number {
  const rowBytes = width * 3
  let edges = 0
  for (let row = 0; row < height; row += EVERY_ROW) {
    // Green stands for all: it has most of the brightness.
    let before = data[row * rowBytes + 1]
    for (let at = row * rowBytes + 4; at < (row + 1) * rowBytes; at += 3) {
      const value = data[at]
      if (value - before >= MIN_STEP || before - value >= MIN_STEP) edges++
      before = value
    }
  }
  return edges / Math.ceil(height / EVERY_ROW)
}

/**
 * The text of a page and the parts that its paragraphs play, and its words, links and comments as they are stored.
 */
export type StoredContent = RoledText & { words: Uint8Array<ArrayBuffer>; comments?: string | null }

/** Returns the stored parts of a rendered page besides its images. */
export function storedContent({ words, structure, links, comments }: Omit<RenderedPage, 'image'>): StoredContent {
  return {
    ...structuredText(words, structure),
    // A copy: small buffers share their memory, which could not be transferred to another thread.
    words: new Uint8Array(encodePageContent({ words, links })),
    comments: comments.length === 0 ? null : JSON.stringify(comments),
  }
}
