import { loadSharp } from '#platform/basics/load-sharp.ts'
import { imageSize } from '../../model/image-forms.ts'
import type { FileSource } from '../pdfium/pdf-document.ts'
import { type PageImage, sharpEdgesPerRow } from './render-page.ts'

/** A page of a PDF that `PagesPdf` wrote: its size, and the numbers of its objects. */
export type PicturePage = { number: number; widthPt: number; heightPt: number; picture: number; drawing: number }

/** A PDF that `PagesPdf` wrote: one picture on each page, and nothing else. */
export type PicturesPdf = {
  /** Bytes of the file, and the place of its table of objects. */
  size: number
  tableAt: number
  /** Number of objects, with the empty first one; and the number of the document's own object. */
  objects: number
  info: number
  /** Returns a page, of which the first is 1; undefined for one that could not be read when the PDF was made. */
  page(number: number): PicturePage | undefined
  /** Returns the bytes of a page's picture if it is a JPEG that fills the page, in sRGB or grey; else undefined. */
  jpeg(page: PicturePage): Uint8Array | undefined
}

/** Bytes of a row in a table of objects (ISO 32000-1, 7.5.4). */
const ROW_BYTES = 20
/** More than a trailer and the objects that describe pages and pictures have. */
const MAX_OBJECT_BYTES = 400
const MAX_LIST_BYTES = 1_000_000
/** A larger picture is left to PDFium, whose memory is limited: a progressive one takes six bytes a pixel. */
const MAX_PICTURE_PIXELS = 40_000_000
/** The first bytes of a JPEG. A stranger's file may claim to be one made here, and no other decoder may read it. */
const JPEG_SIGNATURE = Buffer.from([0xff, 0xd8, 0xff])
const MAX_SECONDS = 30

const TRAILER = /trailer\n<<\/Size (\d{1,8})\/Root 1 0 R\/Info (\d{1,8}) 0 R>>\nstartxref\n(\d{1,12})\n%%EOF\n$/
const LIST = /^2 0 obj\n<<\/Type\/Pages\/Count \d+\/Kids\[((?:\d+ 0 R ?)*)\]>>\nendobj\n$/
const PAGE =
  /^\d+ 0 obj\n<<\/Type\/Page\/Parent 2 0 R\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]\/Resources<<\/XObject<<\/P (\d+) 0 R>>>>\/Contents (\d+) 0 R>>\nendobj\n/
const JPEG =
  /^\d+ 0 obj\n<<\/Type\/XObject\/Subtype\/Image\/Width \d+\/Height \d+\/BitsPerComponent 8\/ColorSpace \/Device(?:RGB|Gray)\/Filter\/DCTDecode\/Length (\d+)>>stream\n/
const DRAWING = /^\d+ 0 obj\n<<\/Length \d+>>stream\nq ([\d.]+) 0 0 ([\d.]+) 0 0 cm \/P Do Q\nendstream\n/

/** Reads a PDF that `PagesPdf` wrote; returns undefined for any other. */
export function readPicturesPdf(source: FileSource): PicturesPdf | undefined {
  const { size } = source
  const textAt = (start: number, end: number) => {
    const bytes = Buffer.alloc(Math.max(0, Math.min(end, size) - start))
    return source.read(start, bytes) ? bytes.toString('latin1') : ''
  }
  const trailer = TRAILER.exec(textAt(Math.max(0, size - MAX_OBJECT_BYTES), size))
  if (trailer === null) return undefined
  const [objects, info, tableAt] = trailer.slice(1).map(Number)
  const rowsAt = tableAt + `xref\n0 ${objects}\n`.length
  if (rowsAt + ROW_BYTES * objects > size) return undefined
  const placeOf = (number = 0) => {
    const row = textAt(rowsAt + ROW_BYTES * number, rowsAt + ROW_BYTES * (number + 1))
    return /^\d{10} 00000 n \n$/.test(row) ? Number(row.slice(0, 10)) : undefined
  }
  const listAt = placeOf(2) ?? 0
  const kids = LIST.exec(textAt(listAt, Math.min(tableAt, listAt + MAX_LIST_BYTES)))?.[1]
  if (kids === undefined) return undefined
  const numbers = kids.split(' 0 R').slice(0, -1).map(Number)

  /** Matches the beginning of an object. Returns the texts that were found, and the place behind the match. */
  function match(number: number | undefined, pattern: RegExp): { texts: string[]; end: number } | undefined {
    const at = placeOf(number)
    const found = at === undefined ? null : pattern.exec(textAt(at, at + MAX_OBJECT_BYTES))
    return found === null ? undefined : { texts: found.slice(1), end: at! + found[0].length }
  }

  return {
    size,
    tableAt,
    objects,
    info,
    page(number) {
      const found = match(numbers[number - 1], PAGE)
      if (found === undefined) return undefined
      const [widthPt, heightPt, picture, drawing] = found.texts.map(Number)
      return { number: numbers[number - 1], widthPt, heightPt, picture, drawing }
    },
    jpeg({ widthPt, heightPt, picture, drawing }) {
      const drawn = match(drawing, DRAWING)?.texts.map(Number)
      const found = match(picture, JPEG)
      if (found === undefined || drawn?.[0] !== widthPt || drawn[1] !== heightPt) return undefined
      const bytes = Number(found.texts[0])
      if (found.end + bytes > size) return undefined
      const jpeg = new Uint8Array(bytes)
      if (!source.read(found.end, jpeg)) return undefined
      return JPEG_SIGNATURE.equals(jpeg.subarray(0, JPEG_SIGNATURE.length)) ? jpeg : undefined
    },
  }
}

/**
 * Draws a page that is a JPEG at a width in pixels, within the limits of `imageSize`; into `memory` if the image fits.
 * That takes a third of the time that PDFium takes for the same page. Undefined if PDFium has to draw it.
 */
export async function drawPicture(
  pdf: PicturesPdf,
  pageNumber: number,
  wantedWidth: number,
  memory: ArrayBufferLike = new ArrayBuffer(0),
): Promise<PageImage | undefined> {
  const page = pdf.page(pageNumber)
  const jpeg = page && pdf.jpeg(page)
  if (jpeg === undefined) return undefined
  // The size that PDFium tells, whose numbers have 32 bits.
  const size = { widthPt: Math.fround(page!.widthPt), heightPt: Math.fround(page!.heightPt) }
  const { width, height } = imageSize(size, wantedWidth)
  const sharp = await loadSharp()
  const pixels = await sharp(jpeg, { limitInputPixels: MAX_PICTURE_PIXELS, failOn: 'none' })
    .timeout({ seconds: MAX_SECONDS })
    .resize(width, height, { fit: 'fill' })
    .toColourspace('srgb')
    .raw()
    .toBuffer()
    .catch(() => undefined)
  if (pixels?.length !== 3 * width * height) return undefined
  const data = pixels.length <= memory.byteLength ? new Uint8Array(memory, 0, pixels.length) : new Uint8Array(pixels)
  data.set(pixels)
  return { width, height, data, edgesPerRow: sharpEdgesPerRow({ width, height }, data) }
}
