import sharp, { type Sharp } from 'sharp'
import type { PageImage } from './draw-page.ts'

type ImageFormat = 'jpeg' | 'webp'

/** An image as it is delivered. */
type EncodedImage = { format: ImageFormat; width: number; height: number; bytes: Uint8Array }

/** One core for each image: pages are many, and more than one core for one of them takes it from the others. */
sharp.concurrency(1)
// Every image is seen once.
sharp.cache(false)

/**
 * Quality and effort, chosen by measurement (docs/decisions/0020-image-formats.md): a higher effort saves few bytes
 * for much time.
 */
const encoders: Record<ImageFormat, (pipeline: Sharp) => Sharp> = {
  jpeg: (pipeline) => pipeline.jpeg({ quality: 80 }),
  webp: (pipeline) => pipeline.webp({ quality: 80, effort: 2 }),
}

/**
 * Encodes a page's image in a format and, when `width` says so, smaller. It is never enlarged. The work is done in the
 * thread pool of Node.js, not in the calling thread.
 */
export async function encodeImage(image: PageImage, format: ImageFormat, width = image.width): Promise<EncodedImage> {
  const { data } = image
  const raw = { width: image.width, height: image.height, channels: 3 as const }
  const whole = sharp(data, { raw, limitInputPixels: false })
  const sized = width < image.width ? whole.resize({ width, fastShrinkOnLoad: false }) : whole
  const { data: bytes, info } = await encoders[format](sized).toBuffer({ resolveWithObject: true })
  return { format, width: info.width, height: info.height, bytes }
}

/** Encodes a page's image in every format at every width that is not larger than itself; at its own if all are. */
export async function encodeImages(
  image: PageImage,
  formats: readonly ImageFormat[],
  widths: readonly number[],
): Promise<EncodedImage[]> {
  const fitting = [...new Set(widths.map((width) => Math.min(width, image.width)))]
  const wanted = formats.flatMap((format) => fitting.map((width) => ({ format, width })))
  return Promise.all(wanted.map(({ format, width }) => encodeImage(image, format, width)))
}
