import type { Metadata, Sharp } from 'sharp'
import { loadSharp, type PictureFormat } from '#platform/basics/load-sharp.ts'
import { embedJpeg, embedPng } from './embed-picture.ts'
import type { PdfPicture, PicturePage } from './pages-pdf.ts'

/** A picture that cannot be shown as a page. */
export class PictureError extends Error {
  readonly reason: 'too_many_pixels' | 'damaged'

  constructor(reason: PictureError['reason'], options?: ErrorOptions) {
    super(`The picture is refused: ${reason}`, options)
    this.name = 'PictureError'
    this.reason = reason
  }
}

/** Pixels of a page. */
const MAX_PIXELS = 100_000_000
/** Decoding and encoding of one page of that size takes some seconds. */
const MAX_SECONDS = 30
/** Larger profiles are of printers, whose pictures are CMYK. */
const MAX_PROFILE_BYTES = 1_000_000
const PROFILE_SPACES: Record<number, string> = { 1: 'GRAY', 3: 'RGB ' }

/** Resolutions that say how large a page is; others, such as 72, are what programs write without knowing. */
const MIN_PIXELS_PER_INCH = 100
const MAX_PIXELS_PER_INCH = 1_200
const USUAL_PIXELS_PER_INCH = 150

/** Quality of pictures that have to be encoded anew: their images are encoded again, much smaller. */
const QUALITY = 92

/**
 * Reads the pages of a picture: one, or all of a TIFF. JPEG and PNG are kept as they are where a PDF can hold them. A
 * page that cannot be read is an error in its place.
 * @throws PictureError if not even the number of pages can be read
 */
export async function* readPicture(
  bytes: Uint8Array,
  format: PictureFormat,
  maxPages: number,
): AsyncGenerator<PicturePage | PictureError> {
  const { pages = 1 } = await readMetadata(bytes, 0)
  const count = format === 'tiff' ? Math.min(pages, maxPages + 1) : 1
  for (let page = 0; page < count; page++) {
    try {
      yield await readPage(bytes, format, page)
    } catch (error) {
      if (!(error instanceof PictureError)) throw error
      yield error
    }
  }
}

async function readPage(bytes: Uint8Array, format: PictureFormat, page: number): Promise<PicturePage> {
  const metadata = await readMetadata(bytes, page)
  if (metadata.width * metadata.height > MAX_PIXELS) throw new PictureError('too_many_pixels')
  const embedded = embed(bytes, format)
  const picture = isAsStated(embedded, metadata)
    ? { ...embedded, profile: profileOf(metadata, embedded), orientation: metadata.orientation ?? 1 }
    : { ...(await encodeAnew(bytes, format, page, metadata)), orientation: 1 }
  return { ...picture, pixelsPerInch: pixelsPerInch(metadata) }
}

function embed(bytes: Uint8Array, format: PictureFormat): PdfPicture | undefined {
  if (format === 'jpeg') return embedJpeg(bytes)
  return format === 'png' ? embedPng(bytes) : undefined
}

/** Two headers of different sizes are a trick: one would be checked, and the other decoded. */
function isAsStated(picture: PdfPicture | undefined, { width, height }: Metadata): picture is PdfPicture {
  return picture !== undefined && picture.width === width && picture.height === height
}

async function readMetadata(bytes: Uint8Array, page: number): Promise<Metadata> {
  try {
    return await (await open(bytes, page, false)).metadata()
  } catch (cause) {
    throw new PictureError('damaged', { cause })
  }
}

async function open(bytes: Uint8Array, page: number, limitInputPixels: number | false): Promise<Sharp> {
  const sharp = await loadSharp()
  return sharp(bytes, { page, pages: 1, limitInputPixels, failOn: 'error', ignoreIcc: false })
}

/** Photographs become JPEG; drawings and scans in black and grey keep every pixel. */
async function encodeAnew(
  bytes: Uint8Array,
  format: PictureFormat,
  page: number,
  { channels, hasAlpha, bitsPerSample }: Metadata,
): Promise<PdfPicture> {
  const isGrey = (channels ?? 3) - (hasAlpha === true ? 1 : 0) === 1
  const isExact = format === 'png' || (format === 'tiff' && isGrey)
  try {
    const opened = (await open(bytes, page, MAX_PIXELS)).timeout({ seconds: MAX_SECONDS })
    const pixels = opened.autoOrient().flatten({ background: '#ffffff' })
    const colours = pixels.toColourspace(isGrey ? 'b-w' : 'srgb')
    const isBlackAndWhite = isGrey && bitsPerSample === 1
    const encoded = await (isExact
      ? colours.png(
          isBlackAndWhite ? { palette: true, colours: 2, dither: 0 } : { compressionLevel: 6, adaptiveFiltering: true },
        )
      : colours.jpeg({ quality: QUALITY, chromaSubsampling: '4:4:4' })
    ).toBuffer()
    const picture = isExact ? embedPng(encoded) : embedJpeg(encoded)
    if (picture === undefined) throw new Error('the encoded picture cannot be embedded')
    return picture
  } catch (cause) {
    throw new PictureError('damaged', { cause })
  }
}

/** Returns the profile of colours that are kept as they are; undefined for one of another kind of colours. */
function profileOf({ icc }: Metadata, { components, palette }: PdfPicture): Uint8Array | undefined {
  if (icc === undefined || palette !== undefined || icc.length < 128 || icc.length > MAX_PROFILE_BYTES) return undefined
  return icc.toString('latin1', 16, 20) === PROFILE_SPACES[components] ? icc : undefined
}

function pixelsPerInch({ density = 0 }: Metadata): number {
  return density >= MIN_PIXELS_PER_INCH && density <= MAX_PIXELS_PER_INCH ? density : USUAL_PIXELS_PER_INCH
}
