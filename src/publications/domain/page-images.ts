/** How an image of a page is made and sent; its name says it: `1200.jpg`. */
export type ImageForm = { width: number; format: 'jpeg' | 'webp'; contentType: string }

/** The width a page is rendered at: sharp on most screens, and what an address without a width stands for. */
export const PAGE_WIDTH = 1200

/** Made first, of all pages: what every client can show. */
export const FIRST_IMAGE = '1200.jpg'

/** Made of every page, the first of them before all others. Wider ones are made when somebody looks closely. */
export const USUAL_IMAGES: readonly string[] = [FIRST_IMAGE, '600.jpg', '1200.webp', '600.webp']

const WIDTHS = [600, PAGE_WIDTH, 2 * PAGE_WIDTH]

const forms: ReadonlyMap<string, ImageForm> = new Map(
  WIDTHS.flatMap((width): [string, ImageForm][] => [
    [`${width}.jpg`, { width, format: 'jpeg', contentType: 'image/jpeg' }],
    [`${width}.webp`, { width, format: 'webp', contentType: 'image/webp' }],
  ]),
)

/** The form that a name stands for; undefined where there is no such image of any page. */
export function imageForm(name: string): ImageForm | undefined {
  return forms.get(name)
}

/** The width a page has to be rendered at for these images. */
export function renderingWidth(names: Iterable<string>): number {
  return Math.max(PAGE_WIDTH, ...[...names].map((name) => forms.get(name)?.width ?? 0))
}

/** Where the images of a version's pages are stored. */
export function imagesFolder(versionId: string): string {
  return `images/${versionId}/`
}

/** Where an image is stored. */
export function imageKey(versionId: string, page: number, name: string): string {
  return `${imagesFolder(versionId)}${page}/${name}`
}
