import type { Sharp } from 'sharp'
import { loadSharp } from '#platform/basics/load-sharp.ts'
import type { PageImage } from './render-page.ts'

type ImageFormat = 'jpeg' | 'webp'

/** An image as it is delivered. */
type EncodedImage = { format: ImageFormat; width: number; height: number; bytes: Uint8Array }

/**
 * Sharp edges in a row from which on a page is full of text. Huffman tables of its own would save such a page 4 to 12%
 * of its bytes as JPEG, and take as long as all the rest of encoding; they save other pages up to two thirds. The
 * lowest effort makes it 1 to 4% larger as WebP, in three quarters of the time; it makes other pages up to twice as
 * large.
 */
const TEXT_EDGES_PER_ROW = 20

/**
 * Quality and effort, chosen by measurement (docs/decisions/0012-image-formats.md): a higher effort saves few bytes for
 * much time. Without loss, quality says how far back to search for repetitions.
 */
const encoders: Record<ImageFormat, (pipeline: Sharp, page: PageImage) => Sharp> = {
  jpeg: (pipeline, page) => pipeline.jpeg({ quality: 80, optimiseCoding: !isFullOfText(page) }),
  webp: (pipeline, page) =>
    page.greys === undefined
      ? pipeline.webp({ quality: 75, effort: isFullOfText(page) ? 0 : 1 })
      : pipeline.webp({ lossless: true, quality: 26, effort: 0 }),
}

/**
 * Encodes a page's image in a format and, when `width` says so, smaller. It is never enlarged. The work is done in the
 * thread pool of Node.js, not in the calling thread.
 */
export async function encodeImage(image: PageImage, format: ImageFormat, width = image.width): Promise<EncodedImage> {
  const sized = width < image.width ? await reduceImage(image, width) : image
  const { data: bytes, info } = await encoders[format](await pixelsOf(sized), image).toBuffer({
    resolveWithObject: true,
  })
  return { format, width: info.width, height: info.height, bytes }
}

/** Makes a page's image smaller, for several formats: reducing takes as long as encoding the smaller image as JPEG. */
export async function reduceImage(image: PageImage, width: number): Promise<PageImage> {
  const pixels = await pixelsOf(image)
  const { data, info } = await pixels.resize({ width }).raw().toBuffer({ resolveWithObject: true })
  if (image.greys !== undefined) replaceGreys(data, image.greys)
  return { ...image, width: info.width, height: info.height, data }
}

function isFullOfText({ edgesPerRow }: PageImage): boolean {
  return edgesPerRow >= TEXT_EDGES_PER_ROW
}

async function pixelsOf({ width, height, data }: PageImage): Promise<Sharp> {
  const sharp = await loadSharp()
  return sharp(data, { raw: { width, height, channels: 3 }, limitInputPixels: false })
}

/** Bytes of four pixels. */
const QUAD_BYTES = 12

/** As many greys fit into four bits, for which lossless WebP has a shorter and faster form (RFC 9649, section 4.4). */
const GREYS = 16

/**
 * Larger images stay lossy, because libwebp takes more memory without loss. A page of text that a reader zooms in on
 * has eight to nine million pixels.
 */
const MAX_PIXELS = 10_000_000

/** With fewer sharp edges in a row, lossy WebP takes fewer bytes and about the same time. */
const MIN_EDGES_PER_ROW = 30

/** Difference of a pixel's colours, of 255, up to which it is grey: the ink of books is often some way from black. */
const MAX_TINT = 5

/** On a page of text, less than a quarter of the pixels are not white. Scanned paper never is. */
const MAX_INK = 0.25

/** Every row of a picture shows it, so that a part of the rows says enough. */
const EVERY_ROW = 8

/** Differences of neighbouring pixels, of 255, that make up the shades of pictures, and the edges of letters. */
const SOFT_STEP = 16
const SHARP_STEP = 64

/**
 * Rows with more soft steps than sharp ones, by this many, that follow each other in a picture. In text there is one
 * at a time, where a row touches the tops of letters; pictures in 18 documents have eight or more.
 */
const MORE_SOFT_STEPS = 16
const ROWS_OF_PICTURE = 3

/**
 * Shows an image in few greys, in place, if it is one of grey text on white without pictures. Nobody sees the
 * difference: only the edges of letters have greys, and they keep sixteen. As lossless WebP such a page takes fewer
 * bytes and less time than as lossy WebP, and has no traces of compression around its letters.
 */
export function showInFewGreys(image: PageImage): PageImage {
  if (image.edgesPerRow < MIN_EDGES_PER_ROW || image.width * image.height > MAX_PIXELS) return image
  const counts = countGreys(image)
  if (counts === undefined || hasPicture(image)) return image
  const greys = nearestGreys(counts)
  replaceGreys(image.data, greys)
  return { ...image, greys }
}

/** Replaces each pixel that is not white by the grey that a table of 256 has for its own. */
export function replaceGreys(data: Uint8Array, greys: Uint8Array): void {
  const words = wordsOf(data)
  for (let start = skipWhite(words, 0); start < data.length; start = skipWhite(words, start + QUAD_BYTES)) {
    const end = Math.min(start + QUAD_BYTES, data.length)
    for (let at = start; at < end; at += 3) {
      const grey = greys[data[at + 1]]
      data[at] = grey
      data[at + 1] = grey
      data[at + 2] = grey
    }
  }
}

/** Returns how many pixels have each grey; undefined if one has a colour, or if too many are not white. */
function countGreys({ width, height, data }: PageImage): Uint32Array | undefined {
  const counts = new Uint32Array(256)
  const words = wordsOf(data)
  let left = Math.ceil(MAX_INK * width * height)
  for (let start = skipWhite(words, 0); start < data.length; start = skipWhite(words, start + QUAD_BYTES)) {
    const end = Math.min(start + QUAD_BYTES, data.length)
    for (let at = start; at < end; at += 3) {
      const red = data[at]
      const green = data[at + 1]
      const blue = data[at + 2]
      if (red !== green || blue !== green) {
        if (Math.max(red, green, blue) - Math.min(red, green, blue) > MAX_TINT) return undefined
      }
      counts[green]++
      if (green < 255 && --left < 0) return undefined
    }
  }
  return counts
}

/** Returns bytes as words of four; none if they do not begin at a word of their memory. */
function wordsOf(data: Uint8Array): Uint32Array {
  const isAligned = data.byteOffset % Uint32Array.BYTES_PER_ELEMENT === 0
  return isAligned ? new Uint32Array(data.buffer, data.byteOffset, data.length >> 2) : new Uint32Array(0)
}

/** Returns the place of the first four pixels, from a place on, that are not all white: most of a page is. */
function skipWhite(words: Uint32Array, start: number): number {
  let word = start >> 2
  while (word + 2 < words.length && (words[word] & words[word + 1] & words[word + 2]) === -1) word += 3
  return word << 2
}

/** Returns true if several rows after each other cross a picture. */
function hasPicture({ width, height, data }: PageImage): boolean {
  const rowBytes = width * 3
  let rows = 0
  for (let row = 0; row < height; row += EVERY_ROW) {
    let more = 0
    let before = data[row * rowBytes + 1]
    for (let at = row * rowBytes + 4; at < (row + 1) * rowBytes; at += 3) {
      const step = Math.abs(data[at] - before)
      if (step >= SHARP_STEP) more--
      else if (step > 0 && step < SOFT_STEP) more++
      before = data[at]
    }
    rows = more > MORE_SOFT_STEPS ? rows + 1 : 0
    if (rows === ROWS_OF_PICTURE) return true
  }
  return false
}

/**
 * Returns for each grey the nearest of the few that differ least from all of an image (the quantiser of Lloyd and
 * Max). Greys of areas are kept, because many pixels have them. White stays white.
 */
function nearestGreys(counts: Uint32Array): Uint8Array {
  const darkest = counts.findIndex((count) => count > 0)
  let chosen = Array.from({ length: GREYS }, (_, i) => darkest + (i * (255 - darkest)) / (GREYS - 1))
  for (let round = 0; round < 12; round++) {
    const pixels = new Float64Array(GREYS)
    const sums = new Float64Array(GREYS)
    for (let grey = 0; grey < 256; grey++) {
      const i = nearest(chosen, grey)
      pixels[i] += counts[grey]
      sums[i] += counts[grey] * grey
    }
    chosen = chosen.map((grey, i) => (pixels[i] === 0 ? grey : sums[i] / pixels[i]))
  }
  chosen[GREYS - 1] = 255
  return Uint8Array.from({ length: 256 }, (_, grey) => Math.round(chosen[nearest(chosen, grey)]))
}

/** Returns the place of the number nearest to another, in an ascending list. */
function nearest(chosen: readonly number[], wanted: number): number {
  let i = 0
  while (i < chosen.length - 1 && chosen[i + 1] - wanted <= wanted - chosen[i]) i++
  return i
}
