import { loadSharp, type PictureFormat, pictureFormat } from '#platform/basics/load-sharp.ts'

/** A logo as pages show it: a PNG, with its size in pixels. */
export type ReadLogo = { png: Uint8Array; width: number; height: number }

/** Reasons to refuse a file. */
export type LogoRefusal = 'not_an_image' | 'damaged' | 'too_large'

/** Twice the largest size at which a page shows it, for dense screens. */
const MAX_WIDTH = 640
const MAX_HEIGHT = 192

/** Pixels of a picture that is read: a poster from a camera, which takes some 100 MB. */
const MAX_PIXELS = 25_000_000
/** Decoding in one go takes tens of milliseconds; the pool ends the thread later. */
const MAX_SECONDS = 10

/** Formats that are read. */
const READ: (PictureFormat | undefined)[] = ['png', 'jpeg', 'webp']

// The thread that decodes logos: files of strangers, so that it is expendable.

/** Decodes a picture, and encodes it anew: the stored picture contains nothing of the file but its pixels. */
export async function readLogo(bytes: Uint8Array): Promise<ReadLogo | { refusal: LogoRefusal }> {
  if (!READ.includes(pictureFormat(bytes))) return { refusal: 'not_an_image' }
  const sharp = await loadSharp()
  const options = { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1 } as const
  try {
    const { width, height } = await sharp(bytes, { ...options, limitInputPixels: false }).metadata()
    if (width * height > MAX_PIXELS) return { refusal: 'too_large' }
    const { data, info } = await sharp(bytes, options)
      .autoOrient()
      .resize({ width: MAX_WIDTH, height: MAX_HEIGHT, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .png()
      .timeout({ seconds: MAX_SECONDS })
      .toBuffer({ resolveWithObject: true })
    return { png: new Uint8Array(data), width: info.width, height: info.height }
  } catch {
    return { refusal: 'damaged' }
  }
}
