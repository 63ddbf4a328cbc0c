import { availableParallelism } from 'node:os'
import { buffer } from 'node:stream/consumers'
import { notFound } from '#platform/basics/errors.ts'
import { inTime } from '#platform/basics/timers.ts'
import type { BlobStore } from '#platform/blobs/blob-store.ts'
import { ConnectionLimit } from '#platform/http/connection-limit.ts'
import { preferredMediaType } from '#platform/http/negotiation.ts'
import { QueueFullError, type WorkClient, WorkQueue, type WorkQueueLimits } from '#platform/jobs/work-queue.ts'
import type { DocumentFacts } from '../model/document-content.ts'
import { imageNotReady } from '../model/errors.ts'
import type { VersionFile } from '../model/files-store.ts'
import {
  FALLBACK_SIZE,
  FIRST_IMAGE,
  type ImageForm,
  imageForm,
  imageKey,
  isReplaceable,
  PAGE_WIDTH,
} from '../model/image-forms.ts'
import type { PagesStore, StoredPage } from '../model/pages-store.ts'
import type { VersionChanges, VersionsStore } from '../model/versions.ts'
import { PdfError } from '../rendering/pdfium/pdf-error.ts'
import type { RenderQueue } from '../rendering/render-queue.ts'
import { renderOne, VersionGoneError } from '../rendering/render-version.ts'
import type { RenderWorkDeps } from '../rendering/render-work-deps.ts'
import { drawPlaceholder } from './drawn-images.ts'

/** Time for writes in progress when closing. */
const CLOSE_WITHIN_MS = 3_000

/** An ordinary image takes about 0.1 s, so that waiting readers get theirs within half a minute. */
const ORDINARY: WorkQueueLimits = { running: availableParallelism(), waiting: 256, waitingPerCaller: 128 }

/**
 * A large image takes about half a second, and up to 120 MB while it is encoded. Half of the cores at most, and never
 * more than two, draw them: anyone may request them for every page of every document.
 */
const LARGE: WorkQueueLimits = {
  running: Math.min(2, Math.max(1, availableParallelism() >> 1)),
  waiting: 64,
  waitingPerCaller: 32,
}

/** An image of a finished page. */
type WantedImage = { versionId: string; blobKey: string; page: number; name: string }

/** Makes requested images of finished pages that do not exist yet: each once for any number of requests. */
export class ImageMaker {
  readonly #deps: RenderWorkDeps
  readonly #ordinary = new WorkQueue<void>(ORDINARY)
  readonly #large = new WorkQueue<void>(LARGE)

  constructor(deps: RenderWorkDeps) {
    this.#deps = deps
  }

  /**
   * Makes an image of a page that has a row, whichever instance has the version's lease; resolves when it is stored.
   * @throws PdfError if the page cannot be rendered in this form; VersionGoneError; QueueFullError; UNAVAILABLE
   */
  async make(image: WantedImage, client: WorkClient): Promise<void> {
    const queue = imageForm(image.name)!.width > PAGE_WIDTH ? this.#large : this.#ordinary
    const key = `${image.versionId}/${image.page}/${image.name}`
    await queue.do(key, client, (signal) => this.#make(image, signal))
  }

  /** Stops the work in progress within seconds. */
  async close(): Promise<void> {
    await inTime(CLOSE_WITHIN_MS, Promise.allSettled([this.#ordinary.close(), this.#large.close()]))
  }

  async #make({ versionId, blobKey, page, name }: WantedImage, signal: AbortSignal): Promise<void> {
    await using document = await this.#deps.localDocuments.localDocument(blobKey)
    await renderOne(this.#deps, { versionId, path: document.path, signal }, page, name)
  }
}

/**
 * An image to be sent, with the name of its form. A placeholder replaces a page that a later version of the program may
 * be able to render; a substitute is sent until the image itself can be had.
 */
type FoundImage = { bytes: Buffer; name: string; is: 'final' | 'placeholder' | 'substitute' }

/** The requested form of an image, and whether the client accepts `FIRST_IMAGE` in its place. */
export type WantedForm = { name: string; acceptsJpeg: boolean }

type Deps = {
  blobs: BlobStore
  versions: VersionsStore
  renderQueue: RenderQueue
  imageMaker: ImageMaker
  pageWaits: PageWaits
  /** The longest wait for an image that does not exist yet. */
  waitMs?: number
}

/** Clients and proxies give up on a request after a minute. */
const WAIT_MS = 30_000
/** A request that timed out, or found the queue full, may be retried after this time. */
const RETRY_AFTER_SEC = 5

/** Images of pages: stored ones, ones that are being rendered, and ones that are made on first request. */
export type PageImages = ReturnType<typeof createPageImages>

export function createPageImages(deps: Deps) {
  const { blobs, versions, renderQueue, imageMaker, pageWaits, waitMs = WAIT_MS } = deps

  async function read(versionId: string, page: number, name: string): Promise<Buffer | undefined> {
    const stream = await blobs.read(imageKey(versionId, page, name))
    return stream === undefined ? undefined : await buffer(stream)
  }

  /** Chooses what to wait for: making WebP takes five times as long as the JPEG, of which others wait for theirs. */
  async function madeForm(versionId: string, { name, acceptsJpeg }: WantedForm): Promise<string> {
    if (!acceptsJpeg || !isReplaceable(imageForm(name)!)) return name
    const progress = (await versions.progressOf([versionId])).get(versionId)
    return progress !== undefined && progress.pagesReady < progress.pageCount ? FIRST_IMAGE : name
  }

  async function waitForPage(versionId: string, page: number, client: WorkClient): Promise<StoredPage> {
    const waiting = pageWaits.wait(versionId, page, client)
    // A page that cannot be prioritized is rendered in its turn.
    void renderQueue.prioritize(versionId, page).catch(() => {})
    const row = await waiting
    if (row === undefined) throw notReady()
    return row
  }

  async function make({ versionId, blobKey }: VersionFile, page: number, name: string, client: WorkClient) {
    try {
      await imageMaker.make({ versionId, blobKey, page, name }, client)
    } catch (error) {
      if (error instanceof VersionGoneError) throw notFound()
      if (error instanceof PdfError) throw notReady(error)
      if (error instanceof QueueFullError || client.signal.aborted) throw notReady()
      throw error
    }
    const bytes = await read(versionId, page, name)
    if (bytes === undefined) throw notFound()
    return bytes
  }

  async function placeholder(versionId: string, page: number, form: ImageForm): Promise<Buffer> {
    const facts = await versions.findFacts(versionId)
    const size = facts === undefined ? undefined : (JSON.parse(facts) as DocumentFacts).pages[page - 1]
    return await drawPlaceholder(page, size ?? FALLBACK_SIZE, form)
  }

  return {
    /**
     * Returns an image of an existing page, and waits for one that does not exist yet. While pages of the document are
     * being rendered, further forms of them are made only for those who accept no other.
     * @throws imageNotReady; notFound if the file has just been deleted; UNAVAILABLE
     */
    async get(
      file: VersionFile,
      page: number,
      wanted: WantedForm,
      { caller, signal }: WorkClient,
    ): Promise<FoundImage> {
      const { versionId } = file
      const stored = await read(versionId, page, wanted.name)
      if (stored !== undefined) return { bytes: stored, name: wanted.name, is: 'final' }
      const name = await madeForm(versionId, wanted)
      const is = name === wanted.name ? 'final' : 'substitute'
      const substitute = is === 'substitute' ? await read(versionId, page, name) : undefined
      if (substitute !== undefined) return { bytes: substitute, name, is }
      const client = { caller, signal: AbortSignal.any([signal, AbortSignal.timeout(waitMs)]) }
      const row = await waitForPage(versionId, page, client)
      if (row.failed !== undefined)
        return { bytes: await placeholder(versionId, page, imageForm(name)!), name, is: 'placeholder' }
      const bytes = name in row.images ? await read(versionId, page, name) : undefined
      return { bytes: bytes ?? (await make(file, page, name, client)), name, is }
    },
  }
}

function notReady(cause?: unknown) {
  return imageNotReady({ cause, retryAfterSec: RETRY_AFTER_SEC })
}

/**
 * Concurrent requests that may wait for pages, of all and of each caller; each holds a connection and little else. A
 * caller may be a CDN, which asks for many readers.
 */
const MAX_WAITS = { total: 2_000, perCaller: 500 }

type Wait = { page: number; end: (row: StoredPage | undefined) => void }
type Waits = { all: Set<Wait>; unwatch: () => void; isLooking: boolean; lookAgain: boolean }

/** Holds requests until their pages are finished, with one query for all requests for pages of a version. */
export class PageWaits {
  readonly #pages: PagesStore
  readonly #changes: VersionChanges
  readonly #byVersion = new Map<string, Waits>()
  readonly #held = new ConnectionLimit(MAX_WAITS)
  #isClosed = false

  constructor(pages: PagesStore, changes: VersionChanges) {
    this.#pages = pages
    this.#changes = changes
  }

  /** The number of waiting requests. */
  get count(): number {
    return this.#held.count
  }

  /**
   * Resolves with the page's row once it exists; with undefined when the signal aborts, or if too many requests wait.
   */
  async wait(versionId: string, page: number, { caller, signal }: WorkClient): Promise<StoredPage | undefined> {
    if (this.#isClosed || signal.aborted) return undefined
    const release = this.#held.hold(caller)
    if (release === undefined) return undefined
    const waits = this.#waitsOf(versionId)
    const { promise, resolve } = Promise.withResolvers<StoredPage | undefined>()
    const wait: Wait = { page, end: resolve }
    const giveUp = () => resolve(undefined)
    waits.all.add(wait)
    signal.addEventListener('abort', giveUp)
    // The page may have been finished just before.
    void this.#look(versionId, waits)
    try {
      return await promise
    } finally {
      release()
      signal.removeEventListener('abort', giveUp)
      waits.all.delete(wait)
      if (waits.all.size === 0) this.#end(versionId, waits)
    }
  }

  /** Ends all waits; later requests do not wait. */
  close(): void {
    this.#isClosed = true
    for (const { all } of this.#byVersion.values()) for (const { end } of all) end(undefined)
  }

  #waitsOf(versionId: string): Waits {
    const known = this.#byVersion.get(versionId)
    if (known !== undefined) return known
    const waits: Waits = { all: new Set(), unwatch: () => {}, isLooking: false, lookAgain: false }
    this.#byVersion.set(versionId, waits)
    waits.unwatch = this.#changes.watch(versionId, (progress) => {
      // The version is deleted or unpublished.
      if (progress === undefined) for (const { end } of waits.all) end(undefined)
      else void this.#look(versionId, waits)
    })
    return waits
  }

  #end(versionId: string, waits: Waits): void {
    waits.unwatch()
    if (this.#byVersion.get(versionId) === waits) this.#byVersion.delete(versionId)
  }

  async #look(versionId: string, waits: Waits): Promise<void> {
    waits.lookAgain = true
    if (waits.isLooking) return
    waits.isLooking = true
    while (waits.lookAgain && waits.all.size > 0) {
      waits.lookAgain = false
      const wanted = new Set([...waits.all].map(({ page }) => page))
      // If the database is unavailable, the next look follows within a second.
      const rows = await this.#pages.find(versionId, [...wanted]).catch(() => [])
      const byPage = new Map(rows.map((row) => [row.page, row]))
      for (const { page, end } of waits.all) if (byPage.has(page)) end(byPage.get(page))
    }
    waits.isLooking = false
  }
}

/**
 * Tells whether a client gets WebP: only one that names `image/webp` and prefers it to JPEG (RFC 9110, 12.5.1). A
 * client that accepts anything often shows no more than JPEG.
 */
export function acceptsWebp(accept: string | undefined): boolean {
  return (
    accept !== undefined &&
    /image\/webp/i.test(accept) &&
    preferredMediaType(accept, ['image/webp', 'image/jpeg']) === 'image/webp'
  )
}

/** Tells whether a client that gets WebP can show JPEG as well, as every browser says. */
export function acceptsJpeg(accept: string | undefined): boolean {
  return acceptsWebp(accept) && preferredMediaType(accept, ['image/jpeg']) !== undefined
}
