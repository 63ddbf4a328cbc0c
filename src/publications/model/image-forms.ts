/** The size and encoding of an image of a page; its name states both: `1200.jpg`. */
export type ImageForm = { width: number; format: 'jpeg' | 'webp'; contentType: string }

/** The width that pages are rendered at: sharp on most screens, and the default of an address without a width. */
export const PAGE_WIDTH = 1200

/** The form that is made first, for all pages: every client can show it. */
export const FIRST_IMAGE = '1200.jpg'

/**
 * Forms made of every page, starting with `FIRST_IMAGE`; forms of one width follow each other, because a page is
 * reduced once for them. Wider ones are made when a reader zooms in.
 */
export const DEFAULT_IMAGES: readonly string[] = [FIRST_IMAGE, '1200.webp', '600.jpg', '600.webp']

/** Widths of images, ascending. */
export const IMAGE_WIDTHS: readonly number[] = [600, PAGE_WIDTH, 2 * PAGE_WIDTH]

const forms: ReadonlyMap<string, ImageForm> = new Map(
  IMAGE_WIDTHS.flatMap((width): [string, ImageForm][] => [
    [`${width}.jpg`, { width, format: 'jpeg', contentType: 'image/jpeg' }],
    [`${width}.webp`, { width, format: 'webp', contentType: 'image/webp' }],
  ]),
)

/** Returns the form with a name; undefined if no page has such an image. */
export function imageForm(name: string): ImageForm | undefined {
  return forms.get(name)
}

/** Returns true for an image that `FIRST_IMAGE` can replace: it says the same in other bytes. */
export function isReplaceable({ format, width }: ImageForm): boolean {
  return format === 'webp' && width <= PAGE_WIDTH
}

/** Returns the width that a page must be rendered at for these images. */
export function renderingWidth(names: Iterable<string>): number {
  return Math.max(PAGE_WIDTH, ...[...names].map((name) => forms.get(name)?.width ?? 0))
}

/** Returns the folder of a version's images in the blob store. */
export function imagesFolder(versionId: string): string {
  return `images/${versionId}/`
}

/** Returns the key of an image in the blob store. */
export function imageKey(versionId: string, page: number, name: string): string {
  return `${imagesFolder(versionId)}${page}/${name}`
}

/** Returns the parts of the key of an image. */
export function parseImageKey(key: string): { versionId: string; page: number; name: string } {
  const [, versionId, page, name] = key.split('/')
  return { versionId, page: Number(page), name }
}

/** Tells whether a key in the blob store belongs to an image. */
export function isImageKey(key: string): boolean {
  return key.startsWith('images/')
}

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

/** An image of a page as it was stored. */
export type StoredImage = {
  /** Bytes. */
  size: number
  sha256: string
  /** True if the SHA-256 was taken from the stored file later, when the file may have been damaged already. */
  isFound?: true
}

/** Images of a page by name, such as `1200.jpg`. */
export type StoredImages = Record<string, StoredImage>

/** Columns that describe the images of a page as JSON: their sizes by name, and `StoredImages`. */
type ImageColumns = { images: string; image_sums: string | null }

/** An image as its row describes it. One of an earlier version has no SHA-256. */
type NamedImage = Pick<StoredImage, 'size'> & Partial<StoredImage>

/** Returns the columns of a page with these images. */
export function imageColumns(images: StoredImages): ImageColumns {
  return { images: JSON.stringify(sizesOf(images)), image_sums: JSON.stringify(images) }
}

/** Returns the columns of a page that gets further images, or has some made again. */
export function addImages({ images, image_sums }: ImageColumns, further: StoredImages): ImageColumns {
  return {
    images: JSON.stringify({ ...JSON.parse(images), ...sizesOf(further) }),
    image_sums: JSON.stringify({ ...readSums(image_sums), ...further }),
  }
}

/** Returns the images of a page by name. */
export function readImages({ images, image_sums }: ImageColumns): Record<string, NamedImage> {
  const sums = readSums(image_sums)
  const sizes = Object.entries(JSON.parse(images) as Record<string, number>)
  return Object.fromEntries(sizes.map(([name, size]) => [name, sums[name]?.size === size ? sums[name] : { size }]))
}

function sizesOf(images: StoredImages): Record<string, number> {
  return Object.fromEntries(Object.entries(images).map(([name, { size }]) => [name, size]))
}

function readSums(text: string | null): StoredImages {
  return text === null ? {} : (JSON.parse(text) as StoredImages)
}
