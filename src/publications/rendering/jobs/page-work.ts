import { availableParallelism } from 'node:os'
import { DEFAULT_IMAGES, FIRST_IMAGE, imageKey, PAGE_WIDTH, renderingWidth } from '../../domain/image-forms.ts'
import { encodePageContent } from '../../domain/page-content.ts'
import type { StoredImages } from '../../domain/stored-image.ts'
import { type FinishedPage, type FurtherImages, recordImages, recordPages } from '../../storage/record-pages.ts'
import type { VersionProgress } from '../../storage/versions-store.ts'
import { PdfError } from '../pdfium/pdf-error.ts'
import type { PreparedPage } from '../preparation/first-page.ts'
import type { FreeablePage, PageResult, RenderRun } from '../threads/renderer.ts'
import { GroupWriter } from './group-writer.ts'
import type { RenderWorkDeps } from './render-work-deps.ts'
import { discardImages, storeImage, storeImages } from './store-images.ts'

/** A version to be rendered from the file at `path`. */
export type PageWork = { versionId: string; path: string; signal?: AbortSignal }

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
export const NO_CONTENT = encodePageContent({ words: [], links: [] })

/**
 * Renders pages for the first time, in the given order: a page's row is written when its first image is on disk.
 * The run rejects with VersionGoneError, `PdfError` `cancelled` or `closed`, and with errors of storing and writing.
 */
export function renderFirst(deps: RenderWorkDeps, work: PageWork, pages: Iterable<number>): RenderRun {
  const { db, now } = deps
  const { versionId, path, signal } = work
  const rows = writerOf(deps, versionId, (group: FinishedPage[]) => recordPages(db, versionId, group, now()))

  async function onPage(result: PageResult): Promise<void> {
    if (result.failed !== undefined) {
      if (isEnd(result.failed)) throw new PdfError(result.failed)
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
export async function storeFirstPage(
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
      if (isEnd(result.failed)) throw new PdfError(result.failed)
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

/** Returns true if rendering was stopped as a whole, which says nothing about the page. */
function isEnd(code: string): boolean {
  return code === 'cancelled' || code === 'closed'
}
