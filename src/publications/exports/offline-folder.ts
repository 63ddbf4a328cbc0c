import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { BlobStore } from '#platform/blobs/blob-store.ts'
import type { ArchiveFile } from '#platform/http/zip-archive.ts'
import { drawPlaceholder } from '../delivery/drawn-images.ts'
import type { Addresses } from '../model/config.ts'
import { type DocumentFacts, pageContentJson } from '../model/document-content.ts'
import { publicationNotFound, publicationNotRendered } from '../model/errors.ts'
import { accentStyle } from '../model/face-fields.ts'
import type { FacesStore } from '../model/faces-store.ts'
import { type FilesStore, type VersionFile, wholePdf } from '../model/files-store.ts'
import { FALLBACK_SIZE, imageForm, imageKey, imageSize, type PageSize } from '../model/image-forms.ts'
import type { PagesStore, PageTextsStore } from '../model/pages-store.ts'
import type { PublicPageStore, ShownPublication } from '../model/public-page-store.ts'
import { siteOf } from '../model/sites.ts'
import { shownStatements } from '../model/statements.ts'
import { type Assets, readOfflineReader } from '../public-pages/assets.ts'
import { buildView, EXCERPT_LIMITS } from '../public-pages/build-view.ts'
import { accentFile, type FaceView } from '../public-pages/face-view.ts'
import { interfaceLanguage } from '../public-pages/interface-texts.ts'
import { type Part, type PublicPageView, partAt } from '../public-pages/page-view.ts'
import { publicPageHtml } from '../public-pages/public-page.ts'
import { FOLDER_WIDTHS, folderManifest, imageInfo, sizesOf, writeManifest } from './manifest.ts'

/** Parts that folders are made of. */
export type OfflineDeps = {
  blobs: BlobStore
  files: FilesStore
  publicPages: PublicPageStore
  pages: PagesStore
  pageTexts: PageTextsStore
  faces: FacesStore
  pageAssets: Assets
  addresses: Addresses
}

/** Texts of pages read at once. */
const TEXTS_PER_READ = 50

/**
 * Returns the files of a folder that shows a publication without a server: its pages with the reader, images, text,
 * search data and the PDF, below a folder with the name of its slug.
 * @param baseUrl the address at which the folder will be served, which adds a IIIF manifest with images of its own
 * @throws publicationNotFound; publicationNotRendered while images are missing
 */
export async function offlineFolder(
  deps: OfflineDeps,
  slug: string,
  baseUrl?: string,
): Promise<AsyncGenerator<ArchiveFile>> {
  const publication = await deps.publicPages.find(slug)
  const file = publication && (await deps.files.findByVersion(publication.version_id))
  if (publication === undefined || file === undefined) throw publicationNotFound()
  const pages = await deps.pages.list(publication.version_id)
  if (pages.filter(({ isComplete }) => isComplete).length < publication.page_count) throw publicationNotRendered()
  return inFolder(publication, filesOf(deps, { publication, pdf: file }, baseUrl))
}

type Exported = { publication: ShownPublication; pdf: VersionFile }

/** A file of the folder; its bytes are read when their turn comes. */
type FolderFile = { name: string; isCompressible?: boolean; bytes: AsyncIterable<Uint8Array> }

async function* inFolder(
  { slug, updated_at }: ShownPublication,
  files: AsyncIterable<FolderFile>,
): AsyncGenerator<ArchiveFile> {
  for await (const file of files) yield { ...file, name: `${slug}/${file.name}`, modifiedMs: updated_at }
}

async function* filesOf(deps: OfflineDeps, exported: Exported, baseUrl: string | undefined) {
  const { publication } = exported
  const reader = readOfflineReader()
  yield* htmlFiles(deps, publication, reader !== undefined)
  yield* assetFiles(deps, publication, reader)
  yield* pageFiles(deps, publication)
  yield textFile('data/texts.js', textsScript(deps, publication.version_id))
  if (baseUrl !== undefined) yield* iiifFiles(deps, publication, baseUrl.replace(/(?<!\/)\/+$/, ''))
  yield pdfFile(deps.blobs, exported.pdf)
}

/** The parts as pages, and as data for the reader, which may not read a page of a folder. */
async function* htmlFiles(
  deps: OfflineDeps,
  publication: ShownPublication,
  hasReader: boolean,
): AsyncGenerator<FolderFile> {
  const parts = partsOf(publication.page_count)
  for (const part of parts) {
    const view = await offlineView(deps, publication, part, hasReader)
    const html = publicPageHtml(view)
    yield textFile(view.addresses.part(part), [html])
    if (parts.length > 1) yield dataFile(`part-${part.from}`, [JSON.stringify(html)])
  }
  if (parts.length === 1) return
  yield dataFile('parts', [JSON.stringify(parts.map(({ from }) => from))])
  const { pages } = JSON.parse(publication.facts) as DocumentFacts
  const listed = pages.map(({ label }, at) => ({ page: at + 1, label, image: `images/${at + 1}` }))
  yield dataFile('pages', [JSON.stringify(listed)])
}

async function* assetFiles(
  deps: OfflineDeps,
  publication: ShownPublication,
  reader: string | undefined,
): AsyncGenerator<FolderFile> {
  const { style, firstPaint } = deps.pageAssets
  yield textFile('assets/public-page.css', [style.text])
  yield textFile('assets/first-paint.js', [firstPaint.text])
  if (reader !== undefined) yield textFile('assets/reader.js', [reader])
  const { face_color: color, face_logo: logo } = publication
  if (color !== null) yield textFile(`assets/${accentFile(color)}`, [accentStyle(color)])
  if (logo === null) return
  const face = await deps.faces.findBySlug(publication.face_slug!)
  const { logo: bytes } = (face && (await deps.faces.logo(face.workspace_id))) ?? {}
  if (bytes) yield { name: 'assets/logo.png', isCompressible: false, bytes: Readable.from([Buffer.from(bytes)]) }
}

async function* pageFiles(deps: OfflineDeps, { version_id, page_count, facts }: ShownPublication) {
  const { pages } = JSON.parse(facts) as DocumentFacts
  for (let page = 1; page <= page_count; page++) {
    for (const width of FOLDER_WIDTHS) {
      const name = `${width}.webp`
      yield imageFile(`images/${page}/${name}`, () => readImage(deps, version_id, { page, name }, pages[page - 1]))
    }
    const stored = await deps.publicPages.page(version_id, page)
    if (stored === undefined) continue
    const { words } = await pageContentJson(stored.words)
    yield dataFile(`page-${page}`, [words])
    // Linked where the text in the page is cut.
    yield textFile(`text/${page}.txt`, [stored.text])
  }
}

async function* iiifFiles(deps: OfflineDeps, publication: ShownPublication, base: string): AsyncGenerator<FolderFile> {
  const view = folderManifest(publication, base, deps.addresses)
  yield textFile('iiif/manifest.json', writeManifest(view))
  for (const [at, size] of view.pages.entries()) {
    const page = at + 1
    yield textFile(`iiif/${page}/info.json`, [imageInfo(view.addresses.image(page), sizesOf(size, FOLDER_WIDTHS))])
    for (const { width, height } of sizesOf(size, FOLDER_WIDTHS)) {
      const name = `${FOLDER_WIDTHS.findLast((wanted) => imageSize(size, wanted).width === width)}.jpg`
      yield imageFile(`iiif/${page}/full/${width},${height}/0/default.jpg`, () =>
        readImage(deps, publication.version_id, { page, name }, size),
      )
    }
  }
}

async function* textsScript(deps: OfflineDeps, versionId: string): AsyncGenerator<string> {
  yield 'publicationData("texts",['
  for (let after = 0, isFirst = true; ; isFirst = false) {
    const texts = await deps.pageTexts.listAfter(versionId, after, TEXTS_PER_READ)
    if (texts.length === 0) break
    yield (isFirst ? '' : ',') + JSON.stringify(texts).slice(1, -1)
    after = texts.at(-1)!.page
  }
  yield '])'
}

/** Writes data as a script: a page that was opened from a folder may run scripts of it, but not read its files. */
function dataFile(name: string, json: Iterable<string | Uint8Array>): FolderFile {
  return textFile(`data/${name}.js`, [`publicationData(${JSON.stringify(name)},`, ...json, ')'])
}

type Pieces = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>

function textFile(name: string, pieces: Pieces): FolderFile {
  return { name, bytes: asBytes(pieces) }
}

async function* asBytes(pieces: Pieces): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) yield typeof piece === 'string' ? Buffer.from(piece) : piece
}

function imageFile(name: string, read: () => Promise<Buffer>): FolderFile {
  return { name, isCompressible: false, bytes: readingLater(async () => [await read()]) }
}

function pdfFile(blobs: BlobStore, file: VersionFile): FolderFile {
  const open = async () => {
    const stream = await wholePdf(blobs, file).read()
    if (stream === undefined) throw new Error(`The file ${file.blobKey} is missing`)
    return stream
  }
  return { name: 'document.pdf', isCompressible: false, bytes: readingLater(open) }
}

async function* readingLater(open: () => Promise<Iterable<Uint8Array> | AsyncIterable<Uint8Array>>) {
  yield* await open()
}

type WantedImage = { page: number; name: string }

/** Reads the image of a page, or draws a placeholder if the page could not be rendered. */
async function readImage({ blobs }: OfflineDeps, versionId: string, { page, name }: WantedImage, size?: PageSize) {
  const stream = await blobs.read(imageKey(versionId, page, name))
  if (stream !== undefined) return await buffer(stream)
  return await drawPlaceholder(page, size ?? FALLBACK_SIZE, imageForm(name)!)
}

/** Returns the parts in which the pages of a document are written. */
function partsOf(pageCount: number): Part[] {
  const parts: Part[] = []
  for (let from = 1; from <= pageCount; from = parts.at(-1)!.to + 1) parts.push(partAt(from, pageCount))
  return parts
}

/** Returns the data of a part of a publication in a folder: all that it loads is beside it. */
async function offlineView(
  deps: { publicPages: PublicPageStore; addresses: Addresses },
  publication: ShownPublication,
  part: Part,
  hasReader: boolean,
): Promise<PublicPageView> {
  const { language } = shownStatements(publication, JSON.parse(publication.facts) as DocumentFacts)
  const site = siteOf(deps.addresses, publication.domain)
  const view = buildView(
    { ...publication, isForEveryone: true, allow_download: 1, expires_at: null },
    await deps.publicPages.excerpts(publication.version_id, part, EXCERPT_LIMITS),
    {
      language: interfaceLanguage(language ?? undefined),
      form: 'page',
      part,
      assets: {
        root: 'assets',
        folder: 'assets',
        style: 'assets/public-page.css',
        script: '',
        ...(hasReader && { reader: 'assets/reader.js', firstPaint: 'assets/first-paint.js' }),
      },
    },
    {
      base: deps.addresses.base(),
      here: site,
      site,
      cdn: '',
      pathOf: ({ page }) => `images/${page}`,
      untilMs: undefined,
    },
  )
  return {
    ...view,
    isOffline: true,
    face: view.face && offlineFace(view.face),
    // A folder does not tell whether readers find its collection.
    collection: undefined,
    // A browser that opens the folder shows WebP.
    pages: view.pages.map((page) => ({
      ...page,
      jpeg: page.webp.at(-1)!.address,
      ...(page.fullText !== undefined && { fullText: `text/${page.page}.txt` }),
    })),
    addresses: {
      ...view.addresses,
      part: ({ from }) => (from === 1 ? 'index.html' : `from-${from}.html`),
      download: 'document.pdf',
      preview: { ...view.addresses.preview, address: 'images/1/1200.webp' },
      api: 'data',
    },
  }
}

function offlineFace({ logo, ...face }: FaceView): FaceView {
  return { ...face, ...(logo && { logo: { ...logo, path: '/logo.png' } }) }
}
