import { availableParallelism } from 'node:os'
import { inSpan, rootContext } from '#platform/tracing/spans.ts'
import { encodePageContent } from '../model/document-content.ts'
import {
  DEFAULT_IMAGES,
  FIRST_IMAGE,
  imageKey,
  PAGE_WIDTH,
  renderingWidth,
  type StoredImages,
} from '../model/image-forms.ts'
import { type FinishedPage, type FurtherImages, giveUp, recordImages, recordPages } from '../model/record-pages.ts'
import type { VersionRow } from '../model/tables.ts'
import type { VersionProgress, WorkKind } from '../model/versions.ts'
import { isStop, PdfError } from './pdfium/pdf-error.ts'
import type { PreparedPage } from './prepared-documents.ts'
import type { RenderWorkDeps } from './render-work-deps.ts'
import { discardImages, storeImage, storeImages } from './store-images.ts'
import type { FreeablePage, PageResult, RenderRun } from './threads/renderer.ts'

/** A document that was claimed this often without finishing a page crashes its renderer. */
const MAX_ATTEMPTS = 5
const GIVEN_UP = { code: 'crashed', reason: `Rendering failed after ${MAX_ATTEMPTS} attempts.` }

/** The rendering of a version that this instance has leased. */
export class VersionWork {
  readonly version: VersionRow
  readonly kind: WorkKind
  readonly #deps: RenderWorkDeps
  readonly #stop = new AbortController()
  /** Requested pages. */
  readonly #wanted = new Set<number>()
  #run: RenderRun | undefined

  constructor(deps: RenderWorkDeps, version: VersionRow, kind: WorkKind) {
    this.#deps = deps
    this.version = version
    this.kind = kind
  }

  /** Stops the work early: `render` rejects. */
  stop(): void {
    this.#stop.abort()
  }

  /** Has a page rendered before the others. */
  prioritize(page: number): void {
    this.#wanted.add(page)
    this.#run?.prioritize(page)
  }

  /** Renders the missing pages or images. Rejects like `renderFirst`, and if the document cannot be opened. */
  async render(): Promise<void> {
    const attributes = { 'trackpress.work': this.kind, 'trackpress.pages': this.version.page_count }
    await inSpan('render document', { attributes, within: rootContext() }, () => this.#render())
  }

  async #render(): Promise<void> {
    const { db, changes, localDocuments, now } = this.#deps
    const { id, attempts, blob_key } = this.version
    if (attempts > MAX_ATTEMPTS) {
      changes.announce(id, await giveUp(db, id, GIVEN_UP, NO_CONTENT, now()))
      return
    }
    await using document = await localDocuments.localDocument(blob_key)
    const work = { versionId: id, path: document.path, signal: this.#stop.signal }
    await (this.kind === 'pages' ? this.#renderPages(work) : this.#renderFurther(work))
  }

  async #renderPages(work: PageWork): Promise<void> {
    const startMs = performance.now()
    const { id, page_count, blob_key } = this.version
    const finished = new Set((await this.#deps.pages.list(id)).map(({ page }) => page))
    const missing = Array.from({ length: page_count }, (_, at) => at + 1).filter((page) => !finished.has(page))
    const prepared = missing[0] === 1 ? await this.#deps.preparedDocuments.takePage(blob_key) : undefined
    if (prepared !== undefined) {
      await storeFirstPage(this.#deps, work, prepared)
      missing.shift()
    }
    this.#run = renderFirst(this.#deps, work, missing)
    for (const page of this.#wanted) this.#run.prioritize(page)
    await this.#run.finished
    this.#deps.metrics.versionRendered(performance.now() - startMs)
    await this.#deps.languageDetector.detect(id)
  }

  async #renderFurther(work: PageWork): Promise<void> {
    // Again, for a process that was killed before.
    await this.#deps.languageDetector.detect(this.version.id)
    const pages = await this.#deps.pages.list(this.version.id)
    const incomplete = pages.filter(({ isComplete }) => !isComplete)
    this.#run = renderFurther(this.#deps, work, new Map(incomplete.map(({ page, images }) => [page, images])))
    await this.#run.finished
  }
}

/** A version to be rendered from the file at `path`. */
type PageWork = { versionId: string; path: string; signal?: AbortSignal }

/** Thrown when the version or its publication has been deleted: no work is left. */
export class VersionGoneError extends Error {
  constructor(versionId: string) {
    super(`Version ${versionId} has been deleted`)
    this.name = 'VersionGoneError'
  }
}

/**
 * Pages whose further images are encoded concurrently. With one more than two cores, none is idle while a page goes
 * from one image to the next; with more, they would take all of the four threads that read files, which readers wait
 * for.
 */
export const MAX_ENCODING = Math.max(3, Math.floor(availableParallelism() / 2))

/** The stored content of a page without words. */
const NO_CONTENT = encodePageContent({ words: [], links: [] })

/**
 * Renders pages for the first time, in the given order: a page's row is written when its first image is on disk.
 * The run rejects with VersionGoneError, `PdfError` `cancelled` or `closed`, and with errors of storing and writing.
 */
function renderFirst(deps: RenderWorkDeps, work: PageWork, pages: Iterable<number>): RenderRun {
  const { db, now } = deps
  const { versionId, path, signal } = work
  const rows = writerOf(deps, versionId, (group: FinishedPage[]) => recordPages(db, versionId, group, now()))

  async function onPage(result: PageResult): Promise<void> {
    if (result.failed !== undefined) {
      if (isStop(result.failed)) throw new PdfError(result.failed)
      await rows.add({ ...failedPage(result.failed, result.reason), page: result.page })
      return deps.metrics.pageRendered(result.failed)
    }
    const { page, content } = result
    const images = await storeCounted(deps, work, result, [FIRST_IMAGE])
    await rows.add({ page, images, isComplete: hasAll(images), ...content! })
    deps.metrics.pageRendered('rendered')
  }

  const hasRoom = () => deps.budget.hasRoom()
  return deps.renderer.renderPages(path, pages, { width: PAGE_WIDTH, onPage, hasRoom, signal })
}

/**
 * Stores the first page of a version, which was rendered before the version was created; rejects like `renderFirst`.
 */
async function storeFirstPage(
  deps: RenderWorkDeps,
  { versionId, signal }: PageWork,
  { image, content }: PreparedPage,
): Promise<void> {
  const { db, blobs, metrics, now } = deps
  signal?.throwIfAborted()
  const rows = writerOf(deps, versionId, (group: FinishedPage[]) => recordPages(db, versionId, group, now()))
  const images = { [FIRST_IMAGE]: await storeImage(blobs, imageKey(versionId, 1, FIRST_IMAGE), image) }
  await rows.add({ page: 1, images, isComplete: hasAll(images), ...content })
  metrics.pageRendered('rendered')
}

/** Renders pages that have a row again, for the default images that they lack; rejects like `renderFirst`. */
export function renderFurther(
  deps: RenderWorkDeps,
  work: PageWork,
  known: ReadonlyMap<number, Record<string, number>>,
): RenderRun {
  const { db, now } = deps
  const { versionId, path, signal } = work
  const rows = writerOf(deps, versionId, (group: FurtherImages[]) => recordImages(db, versionId, group, now()))
  let encoding = 0

  async function onPage(result: PageResult): Promise<void> {
    const { page } = result
    if (result.failed !== undefined) {
      if (isStop(result.failed)) throw new PdfError(result.failed)
      // The page keeps the images it has; other forms are tried again on request.
      return await rows.add({ page, images: {}, isComplete: true })
    }
    const missing = DEFAULT_IMAGES.filter((name) => !(name in known.get(page)!))
    encoding++
    const images = await storeCounted(deps, work, result, missing).finally(() => encoding--)
    await rows.add({ page, images, isComplete: true })
  }

  const hasRoom = () => deps.budget.hasRoom() && encoding < MAX_ENCODING
  return deps.renderer.renderPages(path, known.keys(), {
    width: PAGE_WIDTH,
    kind: 'further-images',
    onPage,
    hasRoom,
    signal,
  })
}

/**
 * Makes an image of a page that has a row. Its bitmap does not count against the budget of pages: the caller limits how
 * many are made at once.
 * @throws PdfError if the page cannot be rendered in this form, and the errors of `renderFirst`
 */
export async function renderOne(deps: RenderWorkDeps, work: PageWork, page: number, name: string): Promise<void> {
  const { db, blobs, now } = deps
  const { versionId, path, signal } = work
  const rows = writerOf(deps, versionId, (group: FurtherImages[]) => recordImages(db, versionId, group, now()))

  async function onPage(result: PageResult): Promise<void> {
    if (result.failed !== undefined) throw new PdfError(result.failed)
    const images = await storeImages(blobs, versionId, page, result.image, [name], signal)
    result.free()
    await rows.add({ page, images })
  }

  const width = renderingWidth([name])
  const kind = width > PAGE_WIDTH ? 'large-image' : 'image'
  await deps.renderer.renderPages(path, [page], { width, kind, onPage, signal }).finished
}

/** Writes rows in groups and announces the progress. If the version is gone, its images are discarded. */
function writerOf<Row extends { page: number; images: StoredImages }>(
  { changes, blobs }: RenderWorkDeps,
  versionId: string,
  write: (group: Row[]) => Promise<VersionProgress | undefined>,
): GroupWriter<Row> {
  return new GroupWriter(async (group) => {
    const progress = await write(group)
    if (progress === undefined) await discardImages(blobs, versionId, group)
    changes.announce(versionId, progress)
    if (progress === undefined) throw new VersionGoneError(versionId)
  })
}

async function storeCounted(
  { blobs, budget }: RenderWorkDeps,
  { versionId, signal }: PageWork,
  { page, image, free }: FreeablePage & { page: number },
  names: Iterable<string>,
): Promise<StoredImages> {
  const bytes = image.data.byteLength
  const images = await budget.during(bytes, () => storeImages(blobs, versionId, page, image, names, signal))
  free()
  return images
}

function hasAll(images: StoredImages): boolean {
  return DEFAULT_IMAGES.every((name) => name in images)
}

/** Returns the row of a page that cannot be rendered. */
function failedPage(code: string, reason: string) {
  return { images: {}, isComplete: true, failed: { code, reason }, text: '', words: NO_CONTENT }
}

/**
 * Writes added items in groups: the first at once, and items added during a write together in the next one. `add`
 * resolves or rejects with its group.
 */
export class GroupWriter<Item> {
  readonly #write: (items: Item[]) => Promise<void>
  #waiting: Item[] = []
  #next: Promise<void> | undefined
  #current: Promise<void> = Promise.resolve()

  constructor(write: (items: Item[]) => Promise<void>) {
    this.#write = write
  }

  add(item: Item): Promise<void> {
    this.#waiting.push(item)
    this.#next ??= this.#begin()
    return this.#next
  }

  async #begin(): Promise<void> {
    await this.#current.catch(() => {})
    const items = this.#waiting
    this.#waiting = []
    this.#current = this.#next!
    this.#next = undefined
    await this.#write(items)
  }
}
