export type PageSize = { widthPt: number; heightPt: number }
export type ImageSize = { width: number; height: number }

/** 40 million pixels: more than an A3 page at 600 dpi in one direction, and 120 MB at three bytes each. */
export const MAX_PIXELS = 40_000_000

/** The largest side that WebP can hold (RFC 9649, section 2.7.1: 14 bits); JPEG goes beyond. */
export const MAX_SIDE = 16_383

/** A page narrower than this against its height, or the reverse, is shown distorted: no one can read it as it is. */
const MAX_ASPECT = 200

/** ISO 32000 takes US Letter for a page without a usable size, and so do the viewers. */
export const FALLBACK_SIZE: PageSize = { widthPt: 612, heightPt: 792 }

/**
 * The pixels of a page at the wanted width. The file decides the shape alone, and that within bounds: the image keeps to
 * `MAX_SIDE` and `MAX_PIXELS` by getting narrower than wanted.
 */
export function imageSize(page: PageSize, wantedWidth: number): ImageSize {
  const { widthPt, heightPt } = isUsable(page) ? page : FALLBACK_SIZE
  const aspect = Math.min(Math.max(heightPt / widthPt, 1 / MAX_ASPECT), MAX_ASPECT)
  const width = Math.min(wantedWidth, MAX_SIDE, MAX_SIDE / aspect, Math.sqrt(MAX_PIXELS / aspect))
  return { width: atLeastOne(width), height: atLeastOne(Math.floor(width) * aspect) }
}

/** Whether a size is one a page can be drawn at. */
export function isUsable({ widthPt, heightPt }: PageSize): boolean {
  return widthPt > 0 && heightPt > 0 && Number.isFinite(widthPt) && Number.isFinite(heightPt)
}

function atLeastOne(pixels: number): number {
  return Math.max(1, Math.floor(pixels))
}
