import type {
  AttachedFile,
  Block,
  DocumentFacts,
  OutlineEntry,
  PageComment,
  PageLink,
} from '../model/document-content.ts'
import type { FirstView } from '../model/fields.ts'
import type { CollectionLink, FaceView } from './face-view.ts'

/** The address of an image and its width in pixels. */
export type ImageSource = { address: string; width: number }

/** The data of a page of the document in the public page. */
export type PageView = {
  /** The first is 1. */
  page: number
  /** The document's own label, if it is not the number. */
  label?: string
  /** The size of the default image, in pixels. */
  width: number
  height: number
  /** The width on paper, in points; undefined if the file does not tell. */
  widthPt?: number
  /** Ascending. */
  webp: ImageSource[]
  jpeg: string
  /** Paragraphs with the parts they play; undefined until the page has been read. */
  text?: Block[]
  /** True if the page is a scan whose text was recognised. */
  isRecognized?: true
  /** The address of the full text, if it is too long for the page. */
  fullText?: string
  links: PageLink[]
  comments: PageComment[]
  /** The code of the rendering failure. */
  failedCode?: string
}

/** A run of pages, both ends included. */
export type Part = { from: number; to: number }

/** Addresses of stylesheets and scripts, relative to the page. */
type PageAssets = {
  style: string
  script: string
  reader?: string
  firstPaint?: string
  /** Folder of the assets, such as `_`, and the root of the site, such as `..`. */
  folder: string
  root: string
}

/** The data of the public page. Addresses are absolute, except for the stylesheet and scripts. */
export type PublicPageView = {
  language: string
  /** The whole page, or the form for frames on other sites. */
  form: 'page' | 'embed'
  title: string
  slug: string
  /** False if search engines must not list it, and addresses of images end within minutes. */
  isForEveryone: boolean
  /** True if the addresses of its images stay valid. */
  hasLastingAddresses: boolean
  /** True in a folder that is read without a server: addresses are relative to it. */
  isOffline?: true
  /** True if it is shown by a preview link, in a state that readers do not see. */
  isPreview: boolean
  /** The public face of its workspace; undefined without one. */
  face?: FaceView
  /** The collection on its shelf that it is in; undefined for none, and where readers do not find it. */
  collection?: CollectionLink
  /** False if the page does not offer the PDF. */
  allowsDownload: boolean
  status: 'processing' | 'ready' | 'failed'
  failureCode?: string
  pageCount: number
  pagesReady: number
  sizeBytes: number
  /** Undefined if it never was, as a draft. */
  publishedAtMs?: number
  updatedAtMs: number
  author?: string
  description?: string
  /** A valid language tag. */
  documentLanguage?: string
  /** True if the file says that its pages turn from right to left. */
  isRightToLeft: boolean
  /** The view in which the reader begins. */
  firstView: FirstView
  outline: OutlineEntry[]
  /** Set for a form, which readers fill in after its download. */
  fillable?: DocumentFacts['form']
  /** Files attached to the document; none if the page does not offer its file. */
  attachments: AttachedFile[]
  part: Part
  /** The page that the address names, which is shown before all others; undefined for the first. */
  openAt?: number
  previous?: Part
  next?: Part
  pages: PageView[]
  addresses: {
    /** The public page at its first part, on the site of its workspace. */
    page: string
    /** The same on the site that was asked, to which the cookies of readers belong. */
    here: string
    /** Returns the address of a part, in the form of the page. */
    part(part: Part): string
    embed: string
    oembed: string
    /** The publication in the API, to which `/events` and `/pages/<page>` are appended. */
    api: string
    download: string
    /** The first page's image, for search engines and oEmbed. */
    preview: { address: string; width: number; height: number }
    /** The same image on a ground of `CARD_SIZE`. */
    card: string
  }
  assets: PageAssets
}

/** Returns the page that is shown first: the page in the address, or else the first. */
export function leadingPage({ pages, openAt }: PublicPageView): PageView | undefined {
  return pages.find(({ page }) => page === openAt) ?? pages[0]
}

/** Returns whether scripts turn the page into the reader. */
export function hasReader({ assets, status }: PublicPageView): boolean {
  return assets.reader !== undefined && status !== 'failed'
}

/** Returns whether pages are seen before the reader is there, which then replaces their images by larger ones. */
function showsPagesAtOnce(view: PublicPageView): boolean {
  return hasReader(view) && view.firstView === 'scroll'
}

/** Returns whether any page has text, or may have some once it has been read. A scan has none. */
export function hasText({ pages, part, pageCount }: PublicPageView): boolean {
  const isWhole = part.from === 1 && part.to === pageCount
  return !isWhole || pages.some(({ text }) => text === undefined || text.length > 0)
}

/** Pages in one HTML page: all of most books. Browsers take too long to lay out many more. */
const PAGES_PER_PART = 400

/** Returns the part of a document that has a page; the first part if there is no such page. */
export function partAt(from: number, pageCount: number): Part {
  const isPage = Number.isSafeInteger(from) && from >= 1 && from <= pageCount
  const first = isPage ? from - ((from - 1) % PAGES_PER_PART) : 1
  return { from: first, to: Math.min(first + PAGES_PER_PART - 1, pageCount) }
}

/** Returns the parts before and after one, if there are any. */
export function neighbours({ from, to }: Part, pageCount: number): { previous?: Part; next?: Part } {
  return {
    ...(from > 1 && { previous: partAt(from - 1, pageCount) }),
    ...(to < pageCount && { next: partAt(to + 1, pageCount) }),
  }
}

/** Returns the query that selects a part; empty for the first. */
export function partQuery({ from }: Part): string {
  return from === 1 ? '' : `?from=${from}`
}

/** Returns the address of a page as seen from a part: an anchor in it, or an address in another. */
export function pageAnchor(page: number, part: Part, pageCount: number, partAddress: (part: Part) => string): string {
  const isHere = page >= part.from && page <= part.to
  return isHere ? `#page-${page}` : `${partAddress(partAt(page, pageCount))}#page-${page}`
}

/**
 * The layout of pages: upright ones in a reading column, wide ones, such as slides, in a wider one. `sizes` lets
 * browsers choose an image before layout, and `overlaidSizes` does so for pages that the reader may lay a larger image
 * over.
 */
export type Layout = { name: 'upright' | 'wide'; sizes: string; overlaidSizes: string }

/** The reader lays a larger image over pages that are at least this wide, because they have images of all widths. */
const MIN_OVERLAID_PX = 1200

/**
 * Returns the `sizes` of a page's image. The page that the address names begins with the smallest image, which arrives
 * first even beside hundreds of pages of text; the reader replaces it.
 */
export function sizesOf({ page, width }: PageView, { sizes, overlaidSizes }: Layout, view: PublicPageView): string {
  const own = width < MIN_OVERLAID_PX ? sizes : overlaidSizes
  return page === view.openAt && showsPagesAtOnce(view) ? `(scripting: enabled) 1px, ${own}` : own
}

/** Chooses the layout of a document. The stylesheet has the same widths. */
export function layoutOf(view: PublicPageView): Layout {
  const { pages, outline, form } = view
  const [first] = pages
  const isWide = first !== undefined && first.width > 1.1 * first.height
  const column = isWide ? '70rem' : '50rem'
  const hasOutline = outline.length > 0 && form === 'page'
  // From 64rem on, the outline is at the side of the pages and takes 21.25rem with its margins.
  const narrowed = isWide ? '91.25rem' : '71.25rem'
  const full = hasOutline ? narrowed : column
  const steps = hasOutline
    ? [
        `(min-width: ${full}) ${column}`,
        '(min-width: 64rem) calc(100vw - 21.25rem)',
        ...(isWide ? [] : ['(min-width: 50rem) 50rem']),
      ]
    : [`(min-width: ${full}) ${column}`]
  const sizes = [...steps, '100vw'].join(', ')
  // On a finer screen than this, the column has far more pixels than an image of the usual width. The reader then
  // fetches the larger one, so that the smallest suffices until it is there.
  const isOverlaid = showsPagesAtOnce(view)
  const fine = `(scripting: enabled) and (min-resolution: ${isWide ? '1.25dppx' : '1.75dppx'}) and (min-width: ${full}) 1px`
  return { name: isWide ? 'wide' : 'upright', sizes, overlaidSizes: isOverlaid ? `${fine}, ${sizes}` : sizes }
}
