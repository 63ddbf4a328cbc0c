/** The size and encoding of an image of a page; its name states both: `1200.jpg`. */
export type ImageForm = { width: number; format: 'jpeg' | 'webp'; contentType: string }

/** The width that pages are rendered at: sharp on most screens, and the default of an address without a width. */
export const PAGE_WIDTH = 1200

/** The form that is made first, for all pages: every client can show it. */
export const FIRST_IMAGE = '1200.jpg'

/**
 * Forms made of every page, starting with `FIRST_IMAGE`; those of a width follow each other, because a page is reduced
 * once for them. Wider ones are made when a reader zooms in.
 */
export const DEFAULT_IMAGES: readonly string[] = [FIRST_IMAGE, '1200.webp', '600.jpg', '600.webp']

const WIDTHS = [600, PAGE_WIDTH, 2 * PAGE_WIDTH]

const forms: ReadonlyMap<string, ImageForm> = new Map(
  WIDTHS.flatMap((width): [string, ImageForm][] => [
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

/** Returns what the key of an image names. */
export function pageOfImage(key: string): { versionId: string; page: number; name: string } {
  const [, versionId, page, name] = key.split('/')
  return { versionId, page: Number(page), name }
}

/** Tells whether a key in the blob store is that of an image. */
export function isImageKey(key: string): boolean {
  return key.startsWith('images/')
}
