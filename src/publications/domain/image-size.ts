export type PageSize = { widthPt: number; heightPt: number }
export type ImageSize = { width: number; height: number }

/** 40 million pixels: more than an A3 page at 600 dpi in one direction, and 120 MB at three bytes each. */
export const MAX_PIXELS = 40_000_000

/** The largest side of a WebP image (RFC 9649, section 2.7.1: 14 bits); JPEG allows more. */
export const MAX_SIDE = 16_383

/** A page with a more extreme aspect ratio is shown distorted: it is unreadable as it is. */
const MAX_ASPECT = 200

/** ISO 32000 and the viewers assume US Letter for a page without a usable size. */
export const FALLBACK_SIZE: PageSize = { widthPt: 612, heightPt: 792 }

/**
 * Returns the size of a page's image at the wanted width. The file determines only the shape, within limits: an image
 * that would exceed `MAX_SIDE` or `MAX_PIXELS` becomes narrower.
 */
export function imageSize(page: PageSize, wantedWidth: number): ImageSize {
  const { widthPt, heightPt } = isUsable(page) ? page : FALLBACK_SIZE
  const aspect = Math.min(Math.max(heightPt / widthPt, 1 / MAX_ASPECT), MAX_ASPECT)
  const width = Math.min(wantedWidth, MAX_SIDE, MAX_SIDE / aspect, Math.sqrt(MAX_PIXELS / aspect))
  return { width: atLeastOne(width), height: atLeastOne(Math.floor(width) * aspect) }
}

/** Returns true for a size that a page can be drawn at. */
export function isUsable({ widthPt, heightPt }: PageSize): boolean {
  return widthPt > 0 && heightPt > 0 && Number.isFinite(widthPt) && Number.isFinite(heightPt)
}

function atLeastOne(pixels: number): number {
  return Math.max(1, Math.floor(pixels))
}
