import type { Sharp } from 'sharp'
import type { PageImage } from './draw-page.ts'
import { replaceGreys } from './few-greys.ts'
import { loadSharp } from './load-sharp.ts'

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
 * Quality and effort, chosen by measurement (docs/decisions/0020-image-formats.md): a higher effort saves few bytes
 * for much time. Without loss, quality says how far back to search for what repeats.
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
