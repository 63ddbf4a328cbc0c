import type { Sharp } from 'sharp'
import type { PageImage } from './draw-page.ts'
import { loadSharp } from './load-sharp.ts'

type ImageFormat = 'jpeg' | 'webp'

/** An image as it is delivered. */
type EncodedImage = { format: ImageFormat; width: number; height: number; bytes: Uint8Array }

/**
 * Sharp edges in a row from which on a page is full of text. Huffman tables of its own would save such a page 4 to 7%
 * of its bytes as JPEG, and take twice as long as all the rest of encoding; they save other pages up to half. The
 * lowest effort makes it 1 to 6% larger as WebP, in four fifths of the time; it makes other pages up to twice as large.
 */
const TEXT_EDGES_PER_ROW = 30

/**
 * Quality and effort, chosen by measurement (docs/decisions/0020-image-formats.md): a higher effort saves few bytes
 * for much time.
 */
const encoders: Record<ImageFormat, (pipeline: Sharp, page: PageImage) => Sharp> = {
  jpeg: (pipeline, { edgesPerRow }) => pipeline.jpeg({ quality: 80, optimiseCoding: edgesPerRow < TEXT_EDGES_PER_ROW }),
  webp: (pipeline, { edgesPerRow }) => pipeline.webp({ quality: 75, effort: edgesPerRow < TEXT_EDGES_PER_ROW ? 1 : 0 }),
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
  return { width: info.width, height: info.height, data, edgesPerRow: image.edgesPerRow }
}

async function pixelsOf({ width, height, data }: PageImage): Promise<Sharp> {
  const sharp = await loadSharp()
  return sharp(data, { raw: { width, height, channels: 3 }, limitInputPixels: false })
}
