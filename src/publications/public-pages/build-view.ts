import type { AddressedPage } from '../delivery/addresses.ts'
import { PREVIEW_CARD } from '../delivery/drawn-images.ts'
import {
  blocksOf,
  type DocumentFacts,
  type PageComment,
  type PageFacts,
  type PageLink,
  unpackLinks,
} from '../model/document-content.ts'
import { type FirstView, firstViewOf } from '../model/fields.ts'
import { type ImageSize, imageSize, isUsable } from '../model/image-forms.ts'
import type { ExcerptLimits, PageExcerpt, ShownPublication } from '../model/public-page-store.ts'
import { allowsDownload, hasLastingAddresses, type Opened } from '../model/reading.ts'
import { apiAddress, pageAddress, type Site } from '../model/sites.ts'
import { shownStatements, turnsRightToLeft } from '../model/statements.ts'
import { collectionOf, faceOf } from './face-view.ts'
import { neighbours, type PageView, type Part, type PublicPageView, partQuery } from './page-view.ts'

/** The text of a page in the HTML: its paragraphs, and whether the rest has been cut. */
type ShownText = { paragraphs: string[]; isCut: boolean }

/** Five times the text of a dense book page; a newspaper page may have more. */
const MAX_PAGE_CHARACTERS = 20_000
/**
 * The text of all pages in one HTML page, with the tags of its paragraphs: twice that of a book of 350 pages. Writing
 * it takes tens of milliseconds, in which everyone else waits.
 */
const MAX_CHARACTERS = 2_000_000
/** The tags of a paragraph or a cell. */
const PARAGRAPH_CHARACTERS = 25
/** Characters that each page still gets once that is used up. */
const MIN_CHARACTERS = 500
/** Characters of a page to read from the database: one more than are shown, by which a cut is recognized. */
const READ_CHARACTERS = MAX_PAGE_CHARACTERS + 1
/** Characters of the encoded roles of a page to read: enough for a table of a thousand cells. */
const READ_ROLE_CHARACTERS = 8_000

/** Returns a function that cuts the text of each page to what the HTML page may still hold. */
function createTextBudget(): (text: string) => ShownText {
  let left = MAX_CHARACTERS
  return (text) => {
    const limit = Math.max(Math.min(MAX_PAGE_CHARACTERS, left), MIN_CHARACTERS)
    const isCut = text.length > limit
    const shown = isCut ? text.slice(0, limit).toWellFormed() : text
    const paragraphs = shown
      .split(/\n\s*\n/)
      .map((paragraph) => paragraph.trim())
      .filter((paragraph) => paragraph !== '')
    left -= shown.length + paragraphs.length * PARAGRAPH_CHARACTERS
    return { paragraphs, isCut }
  }
}

/** Links in one HTML page; only an index or an attack has more. */
const MAX_LINKS = 5_000
/** The addresses of these links, which are written twice. Most have fewer than 100 characters. */
const MAX_ADDRESS_CHARACTERS = 1_000_000
/** Packed links to read from the database: 5,000 with long addresses that have nothing in common. */
const READ_LINKS_BYTES = 1_048_576

/** Returns a function that unpacks the links of each page, as many as the HTML page may still hold. */
function createLinkBudget(): (packed: Uint8Array | undefined) => PageLink[] {
  let linksLeft = MAX_LINKS
  let charactersLeft = MAX_ADDRESS_CHARACTERS
  return (packed) => {
    if (packed === undefined || linksLeft <= 0) return []
    const shown: PageLink[] = []
    for (const link of unpackLinks(packed).slice(0, linksLeft)) {
      charactersLeft -= link.uri?.length ?? 0
      if (charactersLeft < 0) {
        linksLeft = 0
        return shown
      }
      shown.push(link)
    }
    linksLeft -= shown.length
    return shown
  }
}

/** Comments in one HTML page, in characters of JSON: five pages full of them. */
const MAX_COMMENT_CHARACTERS = 200_000

/** Returns a function that reads the comments of each page, as many as the HTML page may still hold. */
function createCommentBudget(): (json: string | null | undefined, withFiles: boolean) => PageComment[] {
  let left = MAX_COMMENT_CHARACTERS
  return (json, withFiles) => {
    left -= json?.length ?? 0
    if (json == null || left < 0) return []
    const comments = JSON.parse(json) as PageComment[]
    return withFiles ? comments : comments.filter(({ text }) => text !== '').map(({ file: _file, ...rest }) => rest)
  }
}

/** Widths of the images made of every page; larger ones are for zooming. */
const WIDTHS = [600, 1200]
const DEFAULT_WIDTH = 1200
/** As much of a description as search engines and chats show. */
const MAX_DESCRIPTION_LENGTH = 200

/** As much of the stored pages as `buildView` uses. */
export const EXCERPT_LIMITS: ExcerptLimits = {
  characters: READ_CHARACTERS,
  roleCharacters: READ_ROLE_CHARACTERS,
  linksBytes: READ_LINKS_BYTES,
}

/** The addresses of the installation, and the paths of its page images. */
type PageAddressing = {
  base: string
  cdn: string
  /** The site that was asked, and the site of the workspace, which search engines and others are told. */
  here: Site
  site: Site
  pathOf(page: AddressedPage): string
  /** End of the addresses of images; undefined if they have none. */
  untilMs: number | undefined
  /** The reader link for which they are written; undefined without one. */
  linkId?: string
}

export type PageRequest = {
  language: string
  form: PublicPageView['form']
  part: Part
  /** The page to open at, if it is not the first. */
  openAt?: number
  /** The first view that the address of a frame names. */
  view?: FirstView
  assets: PublicPageView['assets']
}

/** Builds the data of the public page from the stored publication and the addresses. */
export function buildView(
  publication: ShownPublication & Opened,
  stored: readonly PageExcerpt[],
  request: PageRequest,
  addressing: PageAddressing,
): PublicPageView {
  const facts = JSON.parse(publication.facts) as Partial<DocumentFacts>
  const { slug, page_count: pageCount } = publication
  const { view, ...shown } = request
  const { part, form } = request
  const firstView = firstViewOf(publication.first_view, facts.pages)
  const { language, author, description } = shownStatements(publication, facts)
  const api = `${addressing.base}/publications/${slug}`
  const page = pageAddress(addressing.site, slug)
  return {
    ...shown,
    title: publication.title,
    slug,
    isForEveryone: publication.isForEveryone,
    hasLastingAddresses: hasLastingAddresses(publication),
    isPreview: publication.isPreview === true,
    face: faceOf(publication, addressing.here),
    collection: collectionOf(publication, addressing.here),
    allowsDownload: allowsDownload(publication),
    status: publication.status as PublicPageView['status'],
    failureCode: failureCode(publication.failure),
    pageCount,
    pagesReady: publication.pages_ready,
    sizeBytes: publication.size + Number(publication.text_size ?? 0),
    publishedAtMs: publication.published_at ?? undefined,
    updatedAtMs: publication.updated_at,
    author: author ?? undefined,
    description: description ?? beginningOf(stored),
    documentLanguage: language ?? undefined,
    isRightToLeft: turnsRightToLeft(publication, facts),
    // In a frame, pages are turned, so that the frame has nothing to scroll.
    firstView: view ?? (form === 'embed' && firstView === 'scroll' ? 'slides' : firstView),
    outline: facts.outline ?? [],
    fillable: allowsDownload(publication) ? facts.form : undefined,
    attachments: allowsDownload(publication) ? (facts.attachments ?? []) : [],
    ...neighbours(part, pageCount),
    pages: publication.status === 'failed' ? [] : pageViews(publication, facts, stored, part, addressing),
    addresses: {
      page,
      here: pageAddress(addressing.here, slug),
      part: (one) =>
        `${pageAddress(addressing.here, slug)}${request.form === 'embed' ? '/embed' : ''}${partQuery(one)}`,
      embed: `${page}/embed`,
      oembed: `${addressing.site.isOwn ? apiAddress(addressing.site) : addressing.base}/oembed?url=${encodeURIComponent(page)}`,
      api,
      download: `${api}/download`,
      preview: previewOf(publication, facts, addressing),
      card: `${imageAddress(publication, request.openAt ?? 1, addressing)}/${PREVIEW_CARD}`,
    },
  }
}

/** Returns the image of the first page for link previews. */
export function previewOf(
  publication: ShownPublication,
  facts: Partial<DocumentFacts>,
  addressing: PageAddressing,
): ImageSize & { address: string } {
  const size = imageSize(sizeOf(facts, 1), DEFAULT_WIDTH)
  return { address: `${imageAddress(publication, 1, addressing)}/${DEFAULT_WIDTH}.jpg`, ...size }
}

function pageViews(
  publication: ShownPublication,
  facts: Partial<DocumentFacts>,
  stored: readonly PageExcerpt[],
  { from, to }: Part,
  addressing: PageAddressing,
): PageView[] {
  const rows = new Map(stored.map((row) => [row.page, row]))
  const showText = createTextBudget()
  const showLinks = createLinkBudget()
  const showComments = createCommentBudget()
  return Array.from({ length: to - from + 1 }, (_, at) => {
    const page = from + at
    const row = rows.get(page)
    const shown = row && showText(row.text)
    const { label } = facts.pages?.[page - 1] ?? {}
    const image = imageAddress(publication, page, addressing)
    return {
      page,
      label,
      ...imageOf(image, sizeOf(facts, page)),
      ...textOf(shown, row?.roles ?? null, `${pageAddress(addressing.here, publication.slug)}/text/${page}`),
      ...(row?.text_source === 'recognized' && { isRecognized: true as const }),
      links: showLinks(row?.links),
      comments: showComments(row?.comments, allowsDownload(publication)),
      failedCode: row?.failed_code ?? undefined,
    }
  })
}

function imageOf(address: string, page: PageFacts) {
  const size = imageSize(page, DEFAULT_WIDTH)
  const webp = WIDTHS.map((width) => ({ address: `${address}/${width}.webp`, width: imageSize(page, width).width }))
  // Very tall pages are narrower than requested, and the same at both widths.
  const distinct = webp.filter(({ width }, at) => width !== webp[at + 1]?.width)
  const widthPt = isUsable(page) ? { widthPt: Math.round(page.widthPt) } : {}
  return { ...size, ...widthPt, webp: distinct, jpeg: `${address}/${DEFAULT_WIDTH}.jpg` }
}

function imageAddress(publication: ShownPublication, page: number, addressing: PageAddressing): string {
  const { id, version_id, sha256, epoch } = publication
  const { cdn, pathOf, untilMs, linkId } = addressing
  return cdn + pathOf({ publicationId: id, versionId: version_id, sha256, epoch, page, untilMs, linkId })
}

/** Returns the size of a page; `imageSize` replaces an unknown one by a default. */
function sizeOf(facts: Partial<DocumentFacts>, page: number): PageFacts {
  return facts.pages?.[page - 1] ?? { widthPt: 0, heightPt: 0 }
}

function textOf(shown: ShownText | undefined, roles: string | null, fullText: string) {
  if (shown === undefined) return {}
  return { text: blocksOf(shown.paragraphs, roles), ...(shown.isCut && { fullText }) }
}

/** Returns the first words of the document, cut at a space. */
function beginningOf(stored: readonly PageExcerpt[]): string | undefined {
  const text = stored
    .slice(0, 5)
    .map((row) => row.text.slice(0, MAX_DESCRIPTION_LENGTH * 2))
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim()
  if (text.length <= MAX_DESCRIPTION_LENGTH) return text === '' ? undefined : text
  const cut = text.slice(0, MAX_DESCRIPTION_LENGTH).replace(/(?<!\s)\s+\S*$/, '')
  return `${cut.toWellFormed()}…`
}

function failureCode(failure: string | null): string | undefined {
  return failure === null ? undefined : (JSON.parse(failure) as { code: string }).code
}
