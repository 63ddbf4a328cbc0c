import type { PageAddresses } from '../delivery/addresses.ts'
import type { Addresses } from '../model/config.ts'
import { type DocumentFacts, type OutlineBranch, type OutlineEntry, outlineTree } from '../model/document-content.ts'
import { type FirstView, firstViewOf } from '../model/fields.ts'
import { IMAGE_WIDTHS, type ImageSize, imageSize, type PageSize } from '../model/image-forms.ts'
import type { ShownPublication } from '../model/public-page-store.ts'
import { addressesEnd, allowsDownload, type Opened } from '../model/reading.ts'
import { pageAddress, type Site, siteOf } from '../model/sites.ts'
import { shownStatements, turnsRightToLeft } from '../model/statements.ts'
import { type FaceView, faceOf } from '../public-pages/face-view.ts'

/** A publication as its manifest tells it. Addresses are absolute. */
type ManifestView = {
  title: string
  /** A language tag; undefined if it is unknown. */
  language?: string
  author?: string
  description?: string
  isRightToLeft: boolean
  firstView: FirstView
  pages: DocumentFacts['pages']
  outline: readonly OutlineEntry[]
  /** Widths of the images of a page, ascending. */
  widths: readonly number[]
  /** The face of the workspace that publishes it; undefined without one. */
  publisher?: FaceView
  addresses: {
    manifest: string
    page: string
    /** The PDF; undefined if readers do not get it. */
    download?: string
    /** Returns the address of the image of a page, to which `/full/<size>/0/default.jpg` is appended. */
    image(page: number): string
  }
}

/** Canvases written at once: a millisecond of the main thread. */
const CANVASES_PER_PIECE = 100

const CONTEXT = 'http://iiif.io/api/presentation/3/context.json'

/**
 * Writes a manifest of the IIIF Presentation API 3.0 (https://iiif.io/api/presentation/3.0/), piece by piece: each page
 * is a canvas in the pixels of its largest image, and the table of contents is a range.
 */
export function* writeManifest(view: ManifestView): Generator<string> {
  yield `${JSON.stringify({ '@context': CONTEXT, ...manifestHead(view) }).slice(0, -1)},"items":[`
  for (let from = 0; from < view.pages.length; from += CANVASES_PER_PIECE) {
    const canvases = view.pages
      .slice(from, from + CANVASES_PER_PIECE)
      .map((_, at) => JSON.stringify(canvas(view, from + at + 1)))
    yield (from === 0 ? '' : ',') + canvases.join(',')
  }
  yield ']'
  const ranges = rangesOf(view)
  if (ranges.length > 0) yield `,"structures":${JSON.stringify([contents(view, ranges)])}`
  yield '}'
}

function manifestHead(view: ManifestView) {
  const { title, author, description, publisher, addresses, isRightToLeft } = view
  const inLanguage = (text: string) => ({ [view.language ?? 'none']: [text] })
  return {
    id: addresses.manifest,
    type: 'Manifest',
    label: inLanguage(title),
    ...(description !== undefined && { summary: inLanguage(description) }),
    ...(author !== undefined && {
      metadata: [{ label: { en: ['Author'], fr: ['Auteur'] }, value: { none: [author] } }],
    }),
    ...(publisher !== undefined && { provider: [provider(publisher)] }),
    homepage: [webPage(addresses.page, inLanguage(title))],
    ...(addresses.download !== undefined && {
      rendering: [{ id: addresses.download, type: 'Text', label: { none: ['PDF'] }, format: 'application/pdf' }],
    }),
    thumbnail: [thumbnail(view, 1)],
    viewingDirection: isRightToLeft ? 'right-to-left' : 'left-to-right',
    behavior: [view.firstView === 'book' ? 'paged' : 'individuals'],
  }
}

function provider({ name, shelf, website }: FaceView) {
  return { id: website ?? shelf, type: 'Agent', label: { none: [name] }, homepage: [webPage(shelf, { none: [name] })] }
}

function webPage(id: string, label: Record<string, string[]>) {
  return { id, type: 'Text', label, format: 'text/html' }
}

function canvas(view: ManifestView, page: number) {
  const id = canvasId(view, page)
  const { width, height } = sizesOf(view.pages[page - 1], view.widths).at(-1)!
  const { label } = view.pages[page - 1]
  return {
    id,
    type: 'Canvas',
    label: { none: [label ?? String(page)] },
    width,
    height,
    thumbnail: [thumbnail(view, page)],
    items: [
      {
        id: `${id}/page`,
        type: 'AnnotationPage',
        items: [
          { id: `${id}/image`, type: 'Annotation', motivation: 'painting', body: painting(view, page), target: id },
        ],
      },
    ],
  }
}

function painting(view: ManifestView, page: number) {
  const sizes = sizesOf(view.pages[page - 1], view.widths)
  return { ...image(view, page, sizes.at(-1)!), service: [imageService(view.addresses.image(page), sizes)] }
}

function thumbnail(view: ManifestView, page: number) {
  return image(view, page, sizesOf(view.pages[page - 1], view.widths)[0])
}

function image({ addresses }: ManifestView, page: number, { width, height }: ImageSize) {
  const id = `${addresses.image(page)}/full/${width},${height}/0/default.jpg`
  return { id, type: 'Image', format: 'image/jpeg', width, height }
}

/** Returns the sizes of the images of a page, from widths that ascend. */
export function sizesOf(page: PageSize, widths: readonly number[]): ImageSize[] {
  const sizes = widths.map((width) => imageSize(page, width))
  // Very tall pages are narrower than requested, and the same at several widths.
  return sizes.filter(({ width }, at) => width !== sizes[at + 1]?.width)
}

/**
 * Describes an image by the IIIF Image API 3.0 (https://iiif.io/api/image/3.0/), at its level 0: whole, in a few sizes.
 */
function imageService(id: string, sizes: readonly ImageSize[]) {
  const protocol = 'http://iiif.io/api/image'
  const whole = sizes.at(-1)!
  return { id, type: 'ImageService3', protocol, profile: 'level0', ...whole, sizes }
}

/** Writes the `info.json` of an image. */
export function imageInfo(id: string, sizes: readonly ImageSize[]): string {
  return JSON.stringify({ '@context': 'http://iiif.io/api/image/3/context.json', ...imageService(id, sizes) })
}

function canvasId({ addresses }: ManifestView, page: number): string {
  return `${addresses.manifest.slice(0, addresses.manifest.lastIndexOf('/'))}/canvas/${page}`
}

type Range = { id: string; type: 'Range'; label: Record<string, string[]>; items: unknown[] }

function contents({ addresses }: ManifestView, items: Range[]): Range {
  return { ...range(addresses.manifest, 0, 'Contents', 'en'), items }
}

/** Returns the ranges of the table of contents that lead somewhere: a range must have items. */
function rangesOf(view: ManifestView): Range[] {
  let count = 0
  const ranges = (branches: readonly OutlineBranch[]): Range[] =>
    branches.flatMap(({ entry: { title, page }, branches: below }) => {
      const one = range(view.addresses.manifest, ++count, title, view.language)
      const isHere = page !== undefined && page <= view.pages.length
      const items = [...(isHere ? [{ id: canvasId(view, page), type: 'Canvas' }] : []), ...ranges(below)]
      return items.length === 0 ? [] : [{ ...one, items }]
    })
  return ranges(outlineTree(view.outline))
}

function range(manifest: string, number: number, label: string, language = 'none'): Range {
  const id = `${manifest.slice(0, manifest.lastIndexOf('/'))}/range/${number}`
  return { id, type: 'Range', label: { [language]: [label] }, items: [] }
}

type OnlineDeps = { addresses: Addresses; pageAddresses: PageAddresses; now: () => number }

/** Returns what the manifest of a publication tells at the addresses of this installation. */
export function onlineManifest(publication: ShownPublication & Opened, deps: OnlineDeps): ManifestView {
  const { addresses, pageAddresses, now } = deps
  const { slug, version_id: versionId, sha256, epoch, linkId } = publication
  const file = { publicationId: publication.id, versionId, sha256, epoch, linkId }
  const untilMs = addressesEnd(publication, now())
  const cdn = addresses.cdn()
  const site = siteOf(addresses, publication.domain)
  const api = `${addresses.base()}/publications/${slug}`
  return {
    ...manifestFacts(publication, site),
    widths: IMAGE_WIDTHS,
    addresses: {
      manifest: `${api}/iiif/manifest.json`,
      page: pageAddress(site, slug),
      ...(allowsDownload(publication) && { download: `${api}/download` }),
      image: (page) => cdn + pageAddresses.pathOf({ ...file, untilMs, page }),
    },
  }
}

/** Widths of the images in a folder, which every page has. */
export const FOLDER_WIDTHS = [600, 1200]

/** Returns what a manifest tells that is served with a folder, at the folder's own address. */
export function folderManifest(publication: ShownPublication, base: string, addresses: Addresses): ManifestView {
  return {
    ...manifestFacts(publication, siteOf(addresses, publication.domain)),
    widths: FOLDER_WIDTHS,
    addresses: {
      manifest: `${base}/iiif/manifest.json`,
      page: `${base}/index.html`,
      download: `${base}/document.pdf`,
      image: (page) => `${base}/iiif/${page}`,
    },
  }
}

function manifestFacts(publication: ShownPublication, site: Site) {
  const facts = JSON.parse(publication.facts) as DocumentFacts
  const { language, author, description } = shownStatements(publication, facts)
  return {
    title: publication.title,
    language: language ?? undefined,
    author: author ?? undefined,
    description: description ?? undefined,
    isRightToLeft: turnsRightToLeft(publication, facts),
    firstView: firstViewOf(publication.first_view, facts.pages),
    pages: facts.pages,
    outline: facts.outline,
    publisher: faceOf(publication, site),
  }
}
